"""Who calls, and how much they may: bearer to principal, credits, concurrency, quotas."""
