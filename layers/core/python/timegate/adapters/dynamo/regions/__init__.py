"""The record of a region, and writes that end with its time."""
