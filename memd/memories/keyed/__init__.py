"""Keyed memories: capture, read and delete by namespace and key (contract 17.2)."""
