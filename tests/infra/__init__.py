"""The template means what the design says."""
