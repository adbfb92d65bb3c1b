"""Capturing many memories in one request."""
