"""Steps of operations on many jobs or runs."""
