"""Actions of the console, each read back through the API by another caller."""
