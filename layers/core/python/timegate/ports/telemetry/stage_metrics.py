"""The stage at a glance, for its administration: lateness, ends and queues of each lane, alarms."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Protocol

from timegate.value_classes import dataclass

#: Length of a span, and how many of them are shown: an hour.
SPAN = timedelta(minutes=5)
SPANS = 12
#: Ends of the names of the topics that alarms tell: of those that call people, and of the others.
ALERTS, TICKETS = "alerts", "tickets"
#: Composite alarms that tell no topic: another alarm of the stage, or of one of its stacks, is on.
HEALTH_ALARMS = ("unhealthy", "data-unhealthy", "api-unhealthy", "dispatch-unhealthy")

#: A number for each span; ``None``: nothing was measured in it.
Series = tuple[float | None, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class LaneFigures:
    """One lane: the queue of a priority and resource class, and its executor."""

    #: ``critical-short`` and so on.
    lane: str
    #: From due to started, milliseconds: the middle run, and one in a hundred.
    start_lag_p50_ms: Series
    start_lag_p99_ms: Series
    succeeded: Series
    #: Failed, timed out and given up.
    failed: Series
    #: Messages that are due and wait, the most in each span.
    waiting: Series
    #: The oldest message, seconds.
    oldest_seconds: Series


@dataclass(frozen=True, kw_only=True, slots=True)
class RaisedAlarm:
    """An alarm that is on."""

    name: str
    meaning: str
    since: datetime


@dataclass(frozen=True, kw_only=True, slots=True)
class StageFigures:
    """The stage, as CloudWatch knows it."""

    at: datetime
    #: The start of each span; the last one is not over.
    spans: Sequence[datetime]
    lanes: Sequence[LaneFigures]
    alarms: Sequence[RaisedAlarm]


class StageMetrics(Protocol):
    """Reads the stage's metrics and alarms."""

    def read(self, *, now: datetime) -> StageFigures:
        """Read an hour; the same answer within a minute. Raises ``Throttled``."""
