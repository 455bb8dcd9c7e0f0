"""Choices of a deployment: as the context has them, as other apps do, and as they are recorded."""
