"""Clock in: look at what nobody looked at."""
