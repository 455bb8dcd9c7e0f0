"""CronJobs of Kubernetes: their patterns, and their templates of jobs."""
