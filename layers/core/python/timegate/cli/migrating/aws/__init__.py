"""Schedules of EventBridge, and their targets."""
