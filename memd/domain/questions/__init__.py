"""What a question asks for: a fact, a period, what is due."""
