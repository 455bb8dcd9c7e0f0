"""Patterns of cron: crontabs, CronJobs, and what others take of them."""
