"""Values that every subject uses: identity, instants, tenants, payloads, secrets, errors."""
