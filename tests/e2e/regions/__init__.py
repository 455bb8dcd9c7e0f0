"""A stage deployed in two regions."""
