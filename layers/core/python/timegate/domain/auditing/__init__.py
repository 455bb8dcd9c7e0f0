"""Auditing: expected instants, verdicts and explanations."""
