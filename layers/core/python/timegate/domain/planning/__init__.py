"""Planning: from a schedule to planned runs, catch-up and places."""
