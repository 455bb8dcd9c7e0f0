"""Releases of before, as the history has them."""
