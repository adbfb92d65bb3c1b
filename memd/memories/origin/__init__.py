"""Where memories come from: trace, triggers and export."""
