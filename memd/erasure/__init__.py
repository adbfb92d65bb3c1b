"""Erasing users, sessions and messages, with a receipt (contract 17.6)."""
