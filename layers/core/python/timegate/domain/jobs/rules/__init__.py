"""Rules that a job's definition satisfies."""
