"""Members of a fan-out."""
