"""Accounts: credits, API keys, device codes and the audit log."""
