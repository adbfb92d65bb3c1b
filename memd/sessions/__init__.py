"""Sessions: wake, session, snapshot, checkpoint."""
