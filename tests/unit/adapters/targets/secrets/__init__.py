"""Secrets that targets are called with."""
