"""Notification rules, their watch, and their streaks."""
