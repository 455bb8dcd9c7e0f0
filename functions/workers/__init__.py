"""HTTP in: work for those who ask for it."""
