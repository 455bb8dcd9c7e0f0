"""Limits kept when a run is due: slots, rates and quotas."""
