"""The published types of the wire, one file per room."""
