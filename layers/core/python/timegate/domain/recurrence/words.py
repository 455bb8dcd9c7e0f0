"""A schedule in words."""

from timegate.domain.schedule import Schedule


def describe(schedule: Schedule) -> str:
    """X"""
    return schedule.kind
