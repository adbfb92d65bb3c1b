"""The lean answer of each tool: what a model needs of an endpoint's reply, within a token budget (contract 17.4)."""
