"""The history of memories: versions, restoring them, undoing writes."""
