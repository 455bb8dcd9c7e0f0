"""The client's operations, by subject."""
