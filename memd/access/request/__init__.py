"""What a request holds: its body, the values of its fields, ids in paths, cursors."""
