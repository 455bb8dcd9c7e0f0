"""Pydantic models of requests: shape only, no rule of the domain."""
