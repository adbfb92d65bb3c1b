"""The memory daemon."""
