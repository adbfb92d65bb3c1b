"""The audit log: who did what to users, keys and stored data, in an append-only hash chain (contract 17.6)."""
