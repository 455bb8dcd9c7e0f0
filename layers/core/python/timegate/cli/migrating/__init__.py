"""Schedules of other programs: read, compared with ours, and written as manifests."""
