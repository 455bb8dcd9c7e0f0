"""Contracts of jobs and their policies."""
