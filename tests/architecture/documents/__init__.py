"""Pages, records and sentences."""
