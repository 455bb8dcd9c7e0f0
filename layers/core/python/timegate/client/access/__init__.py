"""Profiles, and tokens for them."""
