"""Liveness, readiness, metrics, version."""
