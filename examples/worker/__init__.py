"""A worker that goes on where another one died."""
