"""The lifecycle of memories and messages: linked, merged, promoted, archived, removed, counted, checked."""
