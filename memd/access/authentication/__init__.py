"""Who calls: keys, tokens, end users, and the count of failed sign-ins."""
