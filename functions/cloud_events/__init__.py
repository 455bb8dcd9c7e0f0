"""The function that sends CloudEvents."""
