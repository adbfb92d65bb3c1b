"""Compatibility endpoints for existing clients."""
