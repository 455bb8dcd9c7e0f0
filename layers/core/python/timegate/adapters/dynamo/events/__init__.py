"""Events of tenants as items."""
