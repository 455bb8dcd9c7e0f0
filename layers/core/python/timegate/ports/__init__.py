"""Protocols that the use cases need and the adapters fulfil."""
