"""Memories out of conversations: which statements are kept, and as what."""
