"""Rollouts: the versions of functions that are invoked, and the way back to those before."""
