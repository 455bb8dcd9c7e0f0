"""Simulation for callers."""
