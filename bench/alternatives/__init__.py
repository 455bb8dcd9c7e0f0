"""Timegate beside what one would build instead, on the same local stack in the same run."""
