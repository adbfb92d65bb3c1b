"""Periods that texts name: dates in words, days and when a statement is true; as local times."""
