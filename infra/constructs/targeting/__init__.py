"""Targets that jobs may reach, and the role that reaches them."""
