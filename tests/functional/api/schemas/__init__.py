"""Schemas of payloads, over HTTP."""
