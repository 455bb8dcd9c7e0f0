"""The administration of a stage: what it sets for its tenants."""
