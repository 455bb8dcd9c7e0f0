"""Costs of Timegate: quantities that are measured, times prices that are listed."""
