"""Context: what is stored about a query, as text for a prompt within a token budget."""
