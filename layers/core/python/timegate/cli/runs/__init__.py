"""Commands on runs and on a job's ledger."""
