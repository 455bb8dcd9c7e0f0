"""Pools: runs that workers outside claim, renew and end."""
