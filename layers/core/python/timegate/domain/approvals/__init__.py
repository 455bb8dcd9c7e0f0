"""Approval links: a signed address at which a person decides an approval."""
