"""Tenant settings and the audit trail, as the use cases see them."""
