"""Alarms, dashboards and saved queries."""
