"""What users say in Spanish and French: which statements become memories, in their own words."""
