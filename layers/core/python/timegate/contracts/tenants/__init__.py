"""Contracts of tenants and of their audit trail."""
