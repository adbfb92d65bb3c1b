"""What becomes of memories and messages over time: linked, merged, promoted, archived, removed, counted, checked."""
