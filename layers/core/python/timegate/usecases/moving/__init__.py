"""Moving what a tenant has, or all tenants, from one stage to another."""
