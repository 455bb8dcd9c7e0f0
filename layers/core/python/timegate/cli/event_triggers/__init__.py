"""Commands about event triggers."""
