"""Parsing of scenarios."""
