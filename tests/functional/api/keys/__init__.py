"""API keys, and tenants that are made with one."""
