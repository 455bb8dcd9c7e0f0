"""The console in a real browser, against the deployed stack."""
