"""Who sees which rows: channels, scopes of requests, visibility rules of knowledge bases."""
