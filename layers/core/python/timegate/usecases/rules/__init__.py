"""Notification rules: changed by callers, and looked at every minute."""
