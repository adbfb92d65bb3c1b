"""Texts for prompts: the briefing, packed contexts and abridged memories."""
