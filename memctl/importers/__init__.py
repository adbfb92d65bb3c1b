"""The parts of `memctl kb import`: sources, documents, pieces, the ledger of what was sent, and the delivery."""
