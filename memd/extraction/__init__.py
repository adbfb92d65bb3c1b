"""Making memories out of conversation."""
