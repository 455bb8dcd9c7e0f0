"""Workflows of GitHub Actions that have a schedule."""
