"""Events that tenants send, and everything that they start or end."""
