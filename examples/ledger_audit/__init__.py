"""What an auditor runs, without Timegate and without a network."""
