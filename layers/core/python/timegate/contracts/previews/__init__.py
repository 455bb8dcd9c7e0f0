"""Contracts of previews and forecasts."""
