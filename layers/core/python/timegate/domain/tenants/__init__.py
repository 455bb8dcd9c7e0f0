"""Tenants: settings, suspension, token rules and the audit trail."""
