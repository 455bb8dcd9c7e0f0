"""Any job that could be stored: a new field of a definition is drawn as its type says."""

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from datetime import datetime, timedelta
from types import UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

from hypothesis import strategies as st

from tests.unit.adapters.dynamo.action_strategies import actions
from tests.unit.adapters.dynamo.finish_strategies import deadlines
from tests.unit.adapters.dynamo.hook_strategies import (
    conditions,
    follow_ups,
    hooks,
    payloads,
)
from tests.unit.adapters.dynamo.plain_strategies import (
    attempt_ids,
    counts,
    instants,
    job_ids,
    seconds,
    tenants,
    texts,
)
from tests.unit.adapters.dynamo.rate_strategies import rate_limits
from timegate.domain.actions.action import Action
from timegate.domain.actions.pool import Offer
from timegate.domain.calendars.calendar_rule import CalendarAction, CalendarMode, CalendarRule
from timegate.domain.calendars.roll import Roll
from timegate.domain.jobs.catch_up import CatchUp, CatchUpPolicy
from timegate.domain.jobs.condition import Condition
from timegate.domain.jobs.definition import (
    PlanDefinition,
    WorkDefinition,
)
from timegate.domain.jobs.finish_by import FinishBy
from timegate.domain.jobs.follow_up import FollowUp
from timegate.domain.jobs.hook import Subscription
from timegate.domain.jobs.job import FailurePause, Job, JobStatus, Timing
from timegate.domain.jobs.retry import Backoff, Breaker, RetryPolicy
from timegate.domain.jobs.slices import LongRun
from timegate.domain.limits.overlap import Overlap, OverlapPolicy
from timegate.domain.limits.rate_limit import RateLimit
from timegate.domain.recurrence.schedule import FoldPolicy, GapPolicy, Schedule, ScheduleKind
from timegate.domain.values.identity import AttemptId, OperationId, RunId
from timegate.domain.values.instant_range import InstantRange
from timegate.domain.values.payload import Payload

whole_seconds = instants.map(lambda instant: instant.replace(microsecond=0))
plain_schedules = st.one_of(
    st.just(Schedule(kind=ScheduleKind.IMMEDIATE)),
    st.just(Schedule(kind=ScheduleKind.MANUAL)),
    st.builds(Schedule, kind=st.just(ScheduleKind.AT), at=instants),
    st.builds(Schedule, kind=st.just(ScheduleKind.DELAY), delay_seconds=seconds),
    st.builds(
        Schedule,
        kind=st.just(ScheduleKind.CRON),
        cron=st.sampled_from(["* * * * *", "30 2 * * MON", "@daily"]),
        timezone=st.sampled_from(["UTC", "Europe/Berlin"]),
        ends_at=st.none() | instants,
        gap=st.sampled_from(GapPolicy),
        fold=st.sampled_from(FoldPolicy),
        jitter_seconds=st.integers(0, 3600),
    ),
    st.builds(
        Schedule,
        kind=st.just(ScheduleKind.RATE),
        every_seconds=st.integers(1, 10**6),
        starts_at=st.none() | instants,
        max_runs=st.none() | st.integers(1, 10**6),
    ),
    st.builds(
        Schedule,
        kind=st.just(ScheduleKind.RRULE),
        rrule=st.sampled_from(["FREQ=DAILY", "FREQ=MONTHLY;BYDAY=-1FR"]),
        timezone=st.sampled_from(["UTC", "Europe/Berlin"]),
        starts_at=instants,
        exdates=st.lists(whole_seconds, max_size=3).map(tuple),
        rdates=st.lists(whole_seconds, max_size=3).map(tuple),
        fold=st.sampled_from(FoldPolicy),
    ),
)
recurring = plain_schedules.filter(lambda each: each.is_recurring)
schedules = plain_schedules | st.builds(
    Schedule,
    kind=st.just(ScheduleKind.UNION),
    any_of=st.lists(recurring, min_size=2, max_size=3).map(tuple),
    starts_at=st.none() | instants,
    max_runs=st.none() | st.integers(1, 10**6),
    jitter_seconds=st.integers(0, 3600),
)
offers = st.builds(Offer, pool=texts, handler=texts)
retries = st.builds(
    RetryPolicy,
    max_attempts=st.integers(1, 100),
    backoff=st.sampled_from(Backoff),
    initial_delay_seconds=seconds,
    max_delay_seconds=seconds,
    jitter=st.booleans(),
    delays_seconds=st.lists(seconds, max_size=3).map(tuple),
    window_seconds=st.none() | st.integers(1, 10**6),
    breaker=st.none() | st.builds(Breaker, failures=st.integers(2, 10), window_seconds=seconds),
    retry_on=st.lists(texts, max_size=3).map(tuple),
    give_up_on=st.lists(texts, max_size=3).map(tuple),
)
catch_ups = st.builds(
    CatchUp,
    policy=st.sampled_from(CatchUpPolicy),
    limit=counts,
    window_seconds=st.integers(1, 10**6),
    grace_seconds=st.integers(0, 86_400),
)
calendar_rules = st.builds(
    CalendarRule,
    calendar=texts,
    mode=st.sampled_from(CalendarMode),
    action=st.sampled_from(CalendarAction),
    business_day=st.none() | st.integers(-23, 23),
    roll=st.none() | st.sampled_from(Roll),
)
overlaps = st.builds(
    Overlap,
    policy=st.sampled_from(OverlapPolicy),
    max_concurrent=st.integers(1, 1000),
    concurrency_key=st.none() | st.text(min_size=1, max_size=20),
    key_from=st.none() | st.text(min_size=1, max_size=20),
)
long_runs = st.builds(
    LongRun,
    max_duration_seconds=st.integers(1, 604_800),
    max_slices=st.integers(1, 10_000),
)
#: How values of a definition are drawn; every other type is drawn as its hint says.
_DRAWN: dict[Any, st.SearchStrategy[Any]] = {
    int: counts,
    str: texts,
    Schedule: schedules,
    CatchUp: catch_ups,
    CalendarRule: calendar_rules,
    RetryPolicy: retries,
    LongRun: long_runs,
    Overlap: overlaps,
    Subscription: hooks,
    FinishBy: deadlines,
    FollowUp: follow_ups,
    RateLimit: rate_limits,
    Condition: conditions,
    Payload: payloads,
    datetime: instants,
    timedelta: seconds.map(lambda each: timedelta(seconds=round(each))),
    float: seconds,
    AttemptId: attempt_ids,
    RunId: attempt_ids.map(lambda each: each.run),
    bytes: st.binary(max_size=8),
    InstantRange: st.lists(instants, min_size=2, max_size=2).map(
        lambda both: InstantRange(start=min(both), end=max(both))
    ),
}


def drawn(hint: Any) -> st.SearchStrategy[Any]:  # noqa: ANN401 - any type of a field
    """Any value of a type, as a record could have it."""
    hint = getattr(hint, "__supertype__", hint)
    if hint in _DRAWN:
        return _DRAWN[hint]
    if hint == Action:
        return actions
    if isinstance(hint, type) and is_dataclass(hint):
        # A type may hold values of its own.
        return st.deferred(lambda: st.builds(hint, **drawn_fields(hint)))
    return _drawn_parts(hint, get_origin(hint), get_args(hint))


def _drawn_parts(
    hint: Any,  # noqa: ANN401 - any type of a field
    origin: Any,  # noqa: ANN401
    parts: tuple[Any, ...],
) -> st.SearchStrategy[Any]:
    if origin in {Union, UnionType}:
        return st.one_of(*map(drawn, parts))
    if origin is frozenset:
        return st.frozensets(st.integers(0, 9999), max_size=3)
    if origin is tuple:
        row = st.lists(drawn(parts[0]), max_size=3).map(tuple)
        return row if parts[-1] is ... else st.tuples(*map(drawn, parts))
    if origin is Mapping:
        return st.dictionaries(*map(drawn, parts), max_size=3)
    return st.from_type(hint)


def drawn_fields(part: Any) -> dict[str, Any]:  # noqa: ANN401 - any dataclass
    """Every field of a type: a new one is drawn without a line here."""
    hints = get_type_hints(part)
    return {each.name: drawn(hints[each.name]) for each in fields(part)}


timings = st.builds(
    Timing,
    **drawn_fields(PlanDefinition),
    tenant=tenants,
    job_id=job_ids,
    version=st.integers(1, 10**6),
    status=st.sampled_from(JobStatus),
    created_at=instants,
    anchored_at=instants,
    next_run_at=st.none() | instants,
    runs_planned=counts,
    failure_pause=st.none() | drawn(FailurePause),
    offer=st.none() | offers,
)
jobs = st.builds(
    Job,
    **drawn_fields(WorkDefinition),
    timing=timings,
    payload=payloads,
    updated_at=instants,
    request_hash=texts,
    last_operation=st.none() | job_ids.map(OperationId),
    pause_reason=st.none() | st.text(min_size=1, max_size=200),
    resumed_at=st.none() | instants,
)
