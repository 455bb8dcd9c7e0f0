"""Notices of a simulation as JSON."""

from collections import Counter
from collections.abc import Iterable
from typing import Any

from timegate.domain.simulation.notices.told import SimulatedNotice
from timegate.domain.values.instants import rfc3339


def notice_view(notice: SimulatedNotice) -> dict[str, Any]:
    """Return one notice."""
    return {
        "at": rfc3339(notice.at),
        "job": notice.job,
        "type": notice.type,
        "rule": notice.rule,
        "scheduled_at": None if notice.run is None else rfc3339(notice.run.scheduled_at),
        "since": rfc3339(notice.since),
        "text": notice.text,
    }


def counted(notices: Iterable[SimulatedNotice]) -> dict[str, int]:
    """Count notices by their types."""
    return dict(sorted(Counter(each.type for each in notices).items()))
