"""Messages of conversations and the documents that quote them."""
