"""Flows of tenants: their quotas, and how they are made."""
