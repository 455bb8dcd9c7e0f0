"""Runs in the API, and what they leave behind."""
