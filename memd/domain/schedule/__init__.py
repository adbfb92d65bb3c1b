"""When scheduled work is due, whether the clock is trusted, standing questions."""
