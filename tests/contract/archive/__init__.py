"""The archive on every engine."""
