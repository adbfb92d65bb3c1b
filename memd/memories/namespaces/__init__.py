"""The memories of a namespace: listed or searched (contract 17.2)."""
