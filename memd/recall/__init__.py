"""Recall: lanes, fusion, ranking."""
