"""Events, their triggers and hooks in the API."""
