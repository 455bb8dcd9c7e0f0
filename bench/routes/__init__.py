"""Routes of the API: their calls of AWS, and their times."""
