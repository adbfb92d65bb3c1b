"""Credits, concurrent requests and the bytes of bodies: what one caller may use."""
