"""Days and periods: their names, their spellings and the windows between them. UTC."""
