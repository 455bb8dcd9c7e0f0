"""Time zones: how a wall clock runs, and its changes."""
