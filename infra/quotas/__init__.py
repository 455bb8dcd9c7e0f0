"""Commands of operators about quotas."""
