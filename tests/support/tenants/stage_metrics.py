"""The stage's metrics and alarms, in memory."""

from collections.abc import Sequence
from datetime import datetime

from timegate.ports.telemetry.stage_metrics import (
    SPAN,
    SPANS,
    LaneFigures,
    RaisedAlarm,
    StageFigures,
)

_SILENT = (None,) * SPANS


class MemoryStageMetrics:
    """The twin of ``CloudWatchStageMetrics``: shows what a test puts there."""

    def __init__(self, lanes: Sequence[str]) -> None:
        self.lanes = [_silent(lane) for lane in lanes]
        self.alarms: list[RaisedAlarm] = []

    def read(self, *, now: datetime) -> StageFigures:
        """Show it, with the spans of an hour."""
        minute = now.replace(second=0, microsecond=0)
        begun = minute.replace(minute=minute.minute // 5 * 5)
        spans = [begun - SPAN * back for back in reversed(range(SPANS))]
        return StageFigures(at=minute, spans=spans, lanes=self.lanes, alarms=self.alarms)


def _silent(lane: str) -> LaneFigures:
    return LaneFigures(
        lane=lane,
        start_lag_p50_ms=_SILENT,
        start_lag_p99_ms=_SILENT,
        succeeded=_SILENT,
        failed=_SILENT,
        waiting=_SILENT,
        oldest_seconds=_SILENT,
    )
