"""Two regions of a stage in virtual time."""
