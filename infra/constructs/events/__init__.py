"""Ticks and event sources, which invoke functions."""
