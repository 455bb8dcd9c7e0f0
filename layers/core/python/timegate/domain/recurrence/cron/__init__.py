"""Cron expressions: grammar, meaning and wall times."""
