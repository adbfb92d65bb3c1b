"""The life of a memory: its initial strength, consolidation, reflection, retention."""
