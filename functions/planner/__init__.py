"""Clock in: materialise what is due."""
