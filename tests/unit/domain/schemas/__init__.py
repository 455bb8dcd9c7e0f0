"""Schemas of payloads: read, and checked against."""
