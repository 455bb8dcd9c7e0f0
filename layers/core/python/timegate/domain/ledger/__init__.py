"""The ledger: a record for each instant, and its reasons in words."""
