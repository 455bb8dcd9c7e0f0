"""The client, alone and in front of the API."""
