"""Counts and usage."""
