"""Event triggers and signed messages, for tests."""
