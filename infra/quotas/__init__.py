"""What operators do about quotas."""
