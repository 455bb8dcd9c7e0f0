"""Limits: overlap, rates, slots and quotas."""
