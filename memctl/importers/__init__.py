"""What `memctl kb import` is made of: sources, documents, pieces, the ledger and the delivery."""
