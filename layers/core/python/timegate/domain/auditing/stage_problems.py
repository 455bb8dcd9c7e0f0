"""The judgement on a stage's health: each problem in words, with what to do about it."""

from collections.abc import Callable, Iterator
from datetime import datetime, timedelta

from timegate.domain.auditing.stage_health import (
    AUDIT_SILENT,
    FINDING_HOLDS,
    TICK_BEHIND,
    TICK_SILENT,
    HealthProblem,
    HealthStatus,
    ProblemCode,
    ShardTicks,
    StageHealth,
)

#: Shards that a sentence names.
_NAMED = 5
_TICKS_REMEDY = (
    "Look at the function's log and its schedules (EventBridge Scheduler), then at throttles: a "
    "schedule that was disabled or a function without concurrency leaves its shards."
)


def problems_of(health: StageHealth) -> tuple[HealthProblem, ...]:
    """Return everything that is wrong with a stage, the graver first."""
    found = [*_of_ticks(health), *_of_audits(health), *_of_metrics(health)]
    return tuple(sorted(found, key=lambda each: each.status is not HealthStatus.UNHEALTHY))


def _of_ticks(health: StageHealth) -> Iterator[HealthProblem]:
    if health.open_shards is None:
        yield HealthProblem(
            code=ProblemCode.NO_SHARD_OPEN,
            detail="No shard is open: neither a tick nor a request for a job came yet.",
            remedy="Wait two minutes after a first deployment; then look at the planner's log.",
            runbook="planner-silence",
        )
        return
    now = health.at
    yield from _lagging(
        health,
        lambda each: each.planner_lag(now),
        "planner",
        ProblemCode.PLANNER_BEHIND,
        ProblemCode.PLANNER_SILENT,
        runbook="planner-silence",
    )
    yield from _lagging(
        health,
        lambda each: each.sweeper_lag(now),
        "sweeper",
        ProblemCode.SWEEPER_BEHIND,
        ProblemCode.SWEEPER_SILENT,
        runbook="late-runs",
    )


def _lagging(
    health: StageHealth,
    lag_of: Callable[[ShardTicks], timedelta],
    function: str,
    behind: ProblemCode,
    silent: ProblemCode,
    *,
    runbook: str,
) -> Iterator[HealthProblem]:
    lagging = [each for each in health.ticks if lag_of(each) > TICK_BEHIND]
    if not lagging:
        return
    worst = max(map(lag_of, lagging))
    count, of = len(lagging), len(health.ticks)
    yield HealthProblem(
        code=silent if worst > TICK_SILENT else behind,
        detail=(
            f"The {function} is {_minutes(worst)} behind in {count} of {of} shards "
            f"({_names(lagging)}); two to five minutes are normal."
        ),
        remedy=_TICKS_REMEDY,
        runbook=runbook,
    )


def _of_audits(health: StageHealth) -> Iterator[HealthProblem]:
    now = health.at
    silent = [each for each in health.ticks if each.audit_lag(now) > AUDIT_SILENT]
    if silent:
        yield HealthProblem(
            code=ProblemCode.AUDIT_SILENT,
            detail=(
                f"The auditor has not finished a tick for {_minutes(_audit_lag(silent, now))} in "
                f"{len(silent)} of {len(health.ticks)} shards ({_names(silent)}): a loss would be "
                "reported late."
            ),
            remedy="Look at the auditor's log; audits that take too long are put off, not lost.",
            runbook="audit-behind",
        )
    held = [
        each
        for each in health.verdicts
        if each.found_at is not None and now - each.found_at <= FINDING_HOLDS
    ]
    if not held:
        return
    unaccounted, lost = sum(e.unaccounted for e in held), sum(e.lost for e in held)
    last = max(each.found_at for each in held if each.found_at is not None)
    yield HealthProblem(
        code=ProblemCode.RECORDS_LOST if lost else ProblemCode.INSTANTS_UNACCOUNTED,
        detail=(
            f"The auditor found something missing, last {_minutes(now - last)} ago: "
            f"{unaccounted:,} instants without a record, {lost:,} lost records."
        ),
        remedy="Search the auditor's log for audit_finding: each names its tenant, job and code.",
        runbook="lost-records" if lost else "unaccounted-instants",
    )


def _of_metrics(health: StageHealth) -> Iterator[HealthProblem]:
    if health.lanes is None:
        yield HealthProblem(
            code=ProblemCode.METRICS_UNKNOWN,
            detail="CloudWatch did not answer: depth and age of the queues, and alarms, are "
            "unknown.",
            remedy="Ask again in a minute.",
            runbook="queue-backlog",
        )
    for alarm in health.alarms:
        yield HealthProblem(
            code=ProblemCode.ALARM_ON,
            detail=f"The alarm {alarm.name} is on for {_minutes(health.at - alarm.since)}. "
            f"{alarm.meaning}".strip(),
            remedy="Follow the runbook that the alarm names.",
            runbook="unhealthy",
        )


def _audit_lag(silent: list[ShardTicks], now: datetime) -> timedelta:
    return max(each.audit_lag(now) for each in silent)


def _names(ticks: list[ShardTicks]) -> str:
    named = ", ".join(str(each.shard) for each in ticks[:_NAMED])
    return f"{named} …" if len(ticks) > _NAMED else named


def _minutes(span: timedelta) -> str:
    minutes = max(0, round(span.total_seconds() / 60))
    return f"{minutes:,} minute{'' if minutes == 1 else 's'}"
