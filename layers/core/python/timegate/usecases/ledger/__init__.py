"""The ledger of a job: read and explained."""
