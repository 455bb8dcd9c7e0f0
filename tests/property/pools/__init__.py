"""Pools of workers, with their pauses."""
