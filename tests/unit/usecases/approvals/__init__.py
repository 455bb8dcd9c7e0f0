"""Approvals, and what tells of them."""
