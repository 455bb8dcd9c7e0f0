"""Targets that enforce fences where their data is: copy one."""
