"""The gateway before the API, its functions, and the tokens of callers."""
