"""From the domain to JSON: the stage's health."""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta

from api.values.views import View, instant_view
from timegate.domain.auditing.audit_finding import AuditVerdict
from timegate.domain.auditing.stage_health import (
    TICK_BEHIND,
    HealthProblem,
    LaneState,
    ShardTicks,
    StageHealth,
    status_of,
)
from timegate.domain.auditing.stage_problems import problems_of
from timegate.domain.values.instants import rfc3339

#: Most shards that an answer names.
WORST = 20


def health_view(health: StageHealth) -> View:
    """The stage's health, and the judgement on it."""
    problems = problems_of(health)
    return {
        "at": rfc3339(health.at),
        "status": status_of(problems),
        "problems": [_problem(each) for each in problems],
        "shards": _shards(health),
        "audit": _audit(health.verdicts, health.ticks),
        "lanes": None if health.lanes is None else [_lane(each) for each in health.lanes],
        "alarms": [{"name": each.name, "since": rfc3339(each.since)} for each in health.alarms],
    }


def _problem(problem: HealthProblem) -> View:
    return {
        "code": problem.code,
        "status": problem.status,
        "detail": problem.detail,
        "remedy": problem.remedy,
        "runbook": f"docs/operations/runbooks.md#{problem.runbook}",
    }


def _shards(health: StageHealth) -> View:
    now, shards = health.at, health.open_shards
    lags = {each.shard: max(each.planner_lag(now), each.sweeper_lag(now)) for each in health.ticks}
    worst = sorted(health.ticks, key=lambda each: (-lags[each.shard], each.shard))
    return {
        "open": shards.count if shards is not None else 0,
        "in_use": shards.used if shards is not None else 0,
        "planner_lag_seconds": _worst(each.planner_lag(now) for each in health.ticks),
        "sweeper_lag_seconds": _worst(each.sweeper_lag(now) for each in health.ticks),
        "behind": sum(lag > TICK_BEHIND for lag in lags.values()),
        "worst": [_shard(each, now) for each in worst[:WORST]],
    }


def _shard(ticks: ShardTicks, now: datetime) -> View:
    return {
        "shard": ticks.shard,
        "planner_lag_seconds": _seconds(ticks.planner_lag(now)),
        "sweeper_lag_seconds": _seconds(ticks.sweeper_lag(now)),
        "audited_at": instant_view(ticks.audited.at if ticks.audited is not None else None),
    }


def _audit(verdicts: Sequence[AuditVerdict], ticks: Sequence[ShardTicks]) -> View:
    return {
        "last_at": instant_view(max((each.at for each in verdicts), default=None)),
        "oldest_at": instant_view(min((each.at for each in verdicts), default=None)),
        "round_began_at": instant_view(
            min(_known(each.audit_began_at for each in ticks), default=None)
        ),
        "instants": sum(each.instants for each in verdicts),
        "found_at": instant_view(max(_known(each.found_at for each in verdicts), default=None)),
        "unaccounted": sum(each.unaccounted for each in verdicts),
        "lost": sum(each.lost for each in verdicts),
    }


def _lane(lane: LaneState) -> View:
    return {"lane": lane.lane, "waiting": lane.waiting, "oldest_seconds": lane.oldest_seconds}


def _known(instants: Iterable[datetime | None]) -> list[datetime]:
    return [each for each in instants if each is not None]


def _worst(lags: Iterable[timedelta]) -> int | None:
    return max(map(_seconds, lags), default=None)


def _seconds(lag: timedelta) -> int:
    return max(0, round(lag.total_seconds()))
