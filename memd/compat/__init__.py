"""Small endpoints that existing clients need."""
