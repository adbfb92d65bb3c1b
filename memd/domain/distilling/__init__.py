"""Distilling: from what somebody said in English to short dated statements in the third person (contract 11.6)."""
