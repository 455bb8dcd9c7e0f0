"""Notification rules: what a tenant is told of many jobs, in one message a streak."""
