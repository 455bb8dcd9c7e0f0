"""Approval links: making one, and what is asked and decided through one."""
