"""API keys over HTTP: made, listed and revoked."""
