"""Services that use cases work with."""
