"""Rules of notifications in the API."""
