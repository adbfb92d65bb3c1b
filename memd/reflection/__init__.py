"""Looking back: what the memories of some hours amount to."""
