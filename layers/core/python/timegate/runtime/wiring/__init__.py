"""Wiring: each function's services, built from settings and adapters."""
