"""Workers' pools in the API."""
