"""Slots, rates and quotas, as the use cases see them."""
