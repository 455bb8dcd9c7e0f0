"""Refusal of a request that AWS would refuse each time."""


class LimitExceeded(AssertionError):
    """A request is beyond a documented limit."""


def refuse_above(place: str, size: float, most: float, *, least: float = 0) -> None:
    """Refuse a size that is out of bounds, both included; raises ``LimitExceeded``."""
    if not least <= size <= most:
        raise LimitExceeded(f"{place} is {size}; AWS takes {least} to {most}.")


def refuse_unless(place: str, holds: object) -> None:
    """Refuse what a rule does not hold for; raises ``LimitExceeded``."""
    if not holds:
        raise LimitExceeded(f"AWS refuses {place}.")
