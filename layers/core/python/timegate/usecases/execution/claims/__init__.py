"""Claims: a delivered run is considered, then claimed or put off."""
