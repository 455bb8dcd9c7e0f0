"""Kinds of schedules: a module each, named as the kind, with its rules."""
