"""Ticks by themselves: of minutes that fail, and of the archiver, whose rounds last days."""
