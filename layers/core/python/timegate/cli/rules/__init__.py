"""Notification rules on the command line."""
