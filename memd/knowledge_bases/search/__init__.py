"""The search inside knowledge bases."""
