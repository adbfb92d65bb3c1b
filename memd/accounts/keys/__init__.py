"""A user's API keys: creating, listing, changing, rotating and revoking them (contract 9.2, 17.7)."""
