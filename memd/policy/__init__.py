"""The content policy at work: its rules from files, and the optional external moderation."""
