"""Text analysis for full-text search: from a text to lexemes with positions, in the language of the text."""
