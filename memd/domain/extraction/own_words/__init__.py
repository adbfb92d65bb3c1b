"""What of a message its author says, and what is pasted, quoted, made up, or not to be kept."""
