"""Commands on tenants, their audit trail and profiles."""
