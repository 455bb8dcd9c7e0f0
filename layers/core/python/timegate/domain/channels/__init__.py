"""Channels: the addresses that are told something, of jobs, DAGs and tenants alike."""
