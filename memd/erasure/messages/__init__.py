"""Erasing messages and sessions with what was made of them."""
