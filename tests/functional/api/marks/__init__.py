"""Marks in payloads, over HTTP."""
