"""Functions of the shop."""
