"""Moving: what a tenant has, as a file that another stage reads."""
