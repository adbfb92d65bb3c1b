"""Scheduled jobs: the timetable, the leader and the clock."""
