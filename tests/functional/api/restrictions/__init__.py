"""Restrictions."""
