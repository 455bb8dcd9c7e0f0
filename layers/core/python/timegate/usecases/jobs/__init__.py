"""Jobs: created, changed, read and triggered."""
