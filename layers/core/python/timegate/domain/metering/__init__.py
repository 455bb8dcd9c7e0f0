"""Costs of what was done: quantities that AWS bills, list prices, and tallies by tenant and job."""
