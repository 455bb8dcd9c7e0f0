"""Schedules: the instants they name, in every time zone, bound and policy.

The rules are written down, with examples, in ``docs/concepts/schedules.md``.
"""
