"""Days: names and spellings of months, weekdays and days; windows of time; time zones."""
