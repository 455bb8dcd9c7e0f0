"""Records that move from one stage to another."""
