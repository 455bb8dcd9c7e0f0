"""Stages: settings, choices of a deployment, and their checks."""
