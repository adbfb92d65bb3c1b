"""Memories: capture, edit, supersede, forget, show, trace, export."""
