"""Clock in: look at what no function looked at in time."""
