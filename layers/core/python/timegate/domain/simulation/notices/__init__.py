"""Notices of a simulation: what a job's own channels and a tenant's rules would tell."""
