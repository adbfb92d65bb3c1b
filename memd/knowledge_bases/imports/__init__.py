"""Filling knowledge bases."""
