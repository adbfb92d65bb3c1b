"""Knowledge bases and their chunks."""
