"""Functions by what they do, each with its role, its events and its alarms."""
