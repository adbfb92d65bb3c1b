"""Text to vectors: the embedders, the batcher in front of them, and the daily allowance."""
