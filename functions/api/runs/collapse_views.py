"""Triggers that collapsed, as users see them."""

from typing import Any

from timegate.domain.runs.run import Collapsed
from timegate.domain.values.instants import rfc3339


def collapse_view(mark: Collapsed | None) -> dict[str, Any] | None:
    """A run's place among triggers that are one run; ``None``: it was triggered by itself."""
    if mark is None:
        return None
    return {
        "key": mark.shown,
        "since": rfc3339(mark.since),
        "triggers": mark.triggers,
        "into": None if mark.into is None else str(mark.into),
    }
