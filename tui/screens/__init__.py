"""The screens of memtui: one for each tab, and those that are opened from it."""
