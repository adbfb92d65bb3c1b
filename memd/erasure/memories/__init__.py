"""Removing memories together with what was derived from them."""
