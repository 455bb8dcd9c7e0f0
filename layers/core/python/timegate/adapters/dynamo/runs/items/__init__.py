"""Attempts as items, part by part."""
