"""Definitions of DAGs: created, changed, validated and read."""
