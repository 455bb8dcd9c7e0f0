"""Stacks: they connect constructs and decide nothing."""
