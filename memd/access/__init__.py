"""Authentication and limits: bearer token to principal, credits, concurrency, quotas."""
