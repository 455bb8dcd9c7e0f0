"""Shapes of items: what earlier and later code has written is read."""
