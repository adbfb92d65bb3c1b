"""German: facts, periods and days, statements of users to a program, secrets, and questions about facts."""
