"""Reading JSON and YAML that people write, without surprises."""
