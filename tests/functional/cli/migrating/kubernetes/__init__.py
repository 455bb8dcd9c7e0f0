"""CronJobs of Kubernetes: their schedules, templates and losses."""
