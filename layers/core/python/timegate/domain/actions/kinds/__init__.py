"""Kinds of actions: one file holds a kind's type, limits, rules and words."""
