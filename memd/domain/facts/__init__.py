"""Facts that texts state: finding them, comparing them and putting them together."""
