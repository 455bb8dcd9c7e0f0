"""DAGs: jobs in an order, as definitions by version; each run of one keeps to its version."""
