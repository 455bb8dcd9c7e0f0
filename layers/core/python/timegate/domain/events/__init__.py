"""Events of tenants: CloudEvents, the keys that they are found by, and patterns over them."""
