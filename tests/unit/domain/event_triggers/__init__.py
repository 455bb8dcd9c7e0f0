"""Rules of event triggers."""
