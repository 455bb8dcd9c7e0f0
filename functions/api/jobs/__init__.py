"""Jobs in the API."""
