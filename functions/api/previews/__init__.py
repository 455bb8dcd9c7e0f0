"""Previews, forecasts and statistics in the API."""
