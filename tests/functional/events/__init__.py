"""The functions that events drive, replayed through their own handlers."""
