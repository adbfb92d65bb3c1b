"""Rows that depend on memories: triggers, recalls, links between them."""
