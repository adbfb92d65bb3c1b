"""Device authorization."""
