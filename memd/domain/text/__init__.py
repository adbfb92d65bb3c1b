"""Prose: sentences, clauses, names, word forms, duplicates and token counts."""
