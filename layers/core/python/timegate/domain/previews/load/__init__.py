"""Load: how many runs fall due in each minute, from the schedules alone."""
