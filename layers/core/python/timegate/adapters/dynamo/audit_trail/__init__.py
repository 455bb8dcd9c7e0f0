"""The audit trail as items, and the writes that join a change."""
