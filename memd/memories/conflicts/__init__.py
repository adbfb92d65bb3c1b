"""Facts that memories state, and what to do about those that contradict each other."""
