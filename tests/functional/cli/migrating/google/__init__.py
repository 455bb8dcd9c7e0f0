"""Jobs of Google Cloud Scheduler."""
