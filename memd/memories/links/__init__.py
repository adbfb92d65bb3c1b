"""What hangs on memories: triggers, recalls, links between them."""
