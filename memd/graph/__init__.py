"""The graph of entities behind the memories."""
