"""The optional chat model; everything works without."""
