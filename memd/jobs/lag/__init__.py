"""Lag of background work: the age of the oldest waiting row by kind."""
