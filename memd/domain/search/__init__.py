"""What a recall or a search looks for: lanes, modes, filters, terms and the knowledge bases to ask."""
