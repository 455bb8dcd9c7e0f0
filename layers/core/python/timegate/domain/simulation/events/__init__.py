"""Events of a scenario: triggers that they meet, runs that they start, waits that they end."""
