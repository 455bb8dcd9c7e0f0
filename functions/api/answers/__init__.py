"""Answers of the API, as JSON; the description derives its schemas from them."""
