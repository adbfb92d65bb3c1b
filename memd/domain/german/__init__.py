"""German: facts, periods and days, rules and requests, secrets, and questions about facts."""
