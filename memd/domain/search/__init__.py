"""The query of a recall or search: lanes, modes, filters, terms and the knowledge bases to search."""
