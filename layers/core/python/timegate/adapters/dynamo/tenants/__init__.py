"""Tenant settings as items."""
