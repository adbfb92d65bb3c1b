"""What depends on memories: triggers, recalls, links between them."""
