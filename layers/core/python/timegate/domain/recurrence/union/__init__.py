"""Unions: several schedules of one job."""
