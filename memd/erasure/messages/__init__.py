"""Erasing messages and sessions with what was derived from them."""
