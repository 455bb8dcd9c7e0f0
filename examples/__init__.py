"""What to copy: programs that work with Timegate."""
