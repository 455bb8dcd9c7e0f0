"""Targets by kinds of actions: each has the file name of its kind in ``domain/actions/kinds``."""
