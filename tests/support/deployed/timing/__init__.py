"""Time on the deployed stack: edges of the clock, records made older, and a clock of its own."""
