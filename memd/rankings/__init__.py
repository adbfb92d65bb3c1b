"""Rankings of paged searches, kept for a few minutes."""
