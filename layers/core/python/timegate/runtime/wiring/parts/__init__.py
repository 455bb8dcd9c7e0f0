"""Wiring that several functions share; each module loads one thing."""
