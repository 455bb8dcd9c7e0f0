"""Pools that are paused, over HTTP."""
