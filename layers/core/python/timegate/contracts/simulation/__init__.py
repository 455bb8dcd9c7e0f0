"""Scenarios of simulations."""
