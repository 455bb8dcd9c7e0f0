"""The API, through its handler."""
