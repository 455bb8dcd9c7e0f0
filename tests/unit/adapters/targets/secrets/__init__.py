"""Executions of Step Functions as targets."""
