"""Programs that work with Timegate, to copy."""
