"""Targets that are AWS services, and the sessions that call them."""
