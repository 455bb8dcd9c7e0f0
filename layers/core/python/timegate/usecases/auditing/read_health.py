"""Health of the stage: ticks and audits by their records, lanes by their metrics."""

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from timegate.domain.auditing.stage_health import LaneState, StageAlarm, StageHealth
from timegate.domain.values.errors import Throttled

if TYPE_CHECKING:
    from timegate.ports.dispatch.stage_ticks import StageTicks
    from timegate.ports.telemetry.stage_metrics import StageFigures, StageMetrics


def read_health(ticks: "StageTicks", metrics: "StageMetrics", *, now: datetime) -> StageHealth:
    """Read the stage's health, at the cost of three small reads for each open shard.

    Metrics that cannot be read are a problem of their own: the records are shown all the same.
    """
    shards = ticks.open_shards()
    figures = _measured(metrics, now)
    return StageHealth(
        at=now,
        open_shards=shards,
        ticks=ticks.read(shards) if shards is not None else (),
        lanes=None if figures is None else _lanes(figures),
        alarms=() if figures is None else _alarms(figures),
    )


def _measured(metrics: "StageMetrics", now: datetime) -> "StageFigures | None":
    try:
        return metrics.read(now=now)
    except Throttled:
        return None


def _lanes(figures: "StageFigures") -> Sequence[LaneState]:
    return tuple(
        LaneState(
            lane=each.lane,
            waiting=_latest(each.waiting),
            oldest_seconds=_latest(each.oldest_seconds),
        )
        for each in figures.lanes
    )


def _alarms(figures: "StageFigures") -> Sequence[StageAlarm]:
    return tuple(
        StageAlarm(name=each.name, meaning=each.meaning, since=each.since)
        for each in figures.alarms
    )


def _latest(series: Sequence[float | None]) -> float | None:
    """Return the last number of a series."""
    return next((each for each in reversed(series) if each is not None), None)
