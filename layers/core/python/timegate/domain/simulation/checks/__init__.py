"""Rules of scenarios: their parts go together, and are not too much."""
