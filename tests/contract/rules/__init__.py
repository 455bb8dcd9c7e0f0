"""Contracts of the stores of notification rules."""
