"""What German texts state: facts, periods and days, what users say to a program, secrets, and questions for facts."""
