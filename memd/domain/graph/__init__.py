"""The graph: entities and relations of a memory, merging, paths."""
