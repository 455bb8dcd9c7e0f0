"""Tenants, the stage and audit trails in the API."""
