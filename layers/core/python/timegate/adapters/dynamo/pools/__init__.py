"""Offers and workers of pools as items."""
