"""German: what users state, ask and correct; facts, periods and days, rules and requests, secrets."""
