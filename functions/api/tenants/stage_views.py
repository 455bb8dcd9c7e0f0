"""From the domain to JSON: the stage at a glance."""

from api.values.views import View
from timegate.domain.values.instants import rfc3339
from timegate.ports.telemetry.stage_metrics import LaneFigures, RaisedAlarm, StageFigures


def stage_view(figures: StageFigures) -> View:
    """The stage's last hour, and its alarms."""
    return {
        "at": rfc3339(figures.at),
        "spans": [rfc3339(each) for each in figures.spans],
        "lanes": [_lane(each) for each in figures.lanes],
        "alarms": [_alarm(each) for each in figures.alarms],
    }


def _lane(figures: LaneFigures) -> View:
    return {
        "lane": figures.lane,
        "start_lag_ms": {
            "p50": list(figures.start_lag_p50_ms),
            "p99": list(figures.start_lag_p99_ms),
        },
        "ended": {"succeeded": list(figures.succeeded), "failed": list(figures.failed)},
        "waiting": list(figures.waiting),
        "oldest_seconds": list(figures.oldest_seconds),
    }


def _alarm(alarm: RaisedAlarm) -> View:
    return {"name": alarm.name, "meaning": alarm.meaning, "since": rfc3339(alarm.since)}
