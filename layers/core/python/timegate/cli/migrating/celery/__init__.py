"""Periodic tasks of Celery beat."""
