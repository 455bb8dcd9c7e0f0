"""Any job and any attempt that could be stored."""

from dataclasses import replace
from typing import Any

from hypothesis import strategies as st

from tests.unit.adapters.dynamo.action_strategies import actions
from tests.unit.adapters.dynamo.finish_strategies import deadlines, finishes
from tests.unit.adapters.dynamo.hook_strategies import (
    checks,
    conditions,
    follow_ups,
    hooks,
    occasions,
    parents,
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
from tests.unit.adapters.dynamo.rate_strategies import paces, rate_limits
from timegate.domain.actions.pool import Offer
from timegate.domain.jobs.delivery import DeliveryMode, KeptAnswer
from timegate.domain.jobs.job import (
    CalendarAction,
    CalendarMode,
    CalendarRule,
    CatchUp,
    CatchUpPolicy,
    Job,
    JobStatus,
    Precision,
    Priority,
    ResourceClass,
    Timing,
)
from timegate.domain.jobs.retry import Backoff, Breaker, RetryPolicy
from timegate.domain.jobs.slices import LongRun, Slice, Slices
from timegate.domain.limits.overlap import Overlap, OverlapPolicy
from timegate.domain.limits.wait_queue import Line, Queueing
from timegate.domain.recurrence.schedule import FoldPolicy, GapPolicy, Schedule, ScheduleKind
from timegate.domain.runs.checkpoint import Checkpoint, Progress
from timegate.domain.runs.lease import Lease
from timegate.domain.runs.resolution import AskedAs, Resolution, Settled
from timegate.domain.runs.run import Attempt, Reason, RunError, RunState, reason_of_stop
from timegate.domain.runs.run_result import StoredResult
from timegate.domain.values.identity import OperationId

whole_seconds = instants.map(lambda instant: instant.replace(microsecond=0))
plain_schedules = st.one_of(
    st.just(Schedule(kind=ScheduleKind.IMMEDIATE)),
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
timings = st.builds(
    Timing,
    tenant=tenants,
    job_id=job_ids,
    version=st.integers(1, 10**6),
    status=st.sampled_from(JobStatus),
    schedule=schedules,
    priority=st.sampled_from(Priority),
    resource_class=st.sampled_from(ResourceClass),
    precision=st.sampled_from(Precision),
    created_at=instants,
    anchored_at=instants,
    next_run_at=st.none() | instants,
    runs_planned=counts,
    catch_up=st.builds(
        CatchUp,
        policy=st.sampled_from(CatchUpPolicy),
        limit=counts,
        window_seconds=st.integers(1, 10**6),
        grace_seconds=st.integers(0, 86_400),
    ),
    offer=st.none() | offers,
    calendars=st.lists(
        st.builds(
            CalendarRule,
            calendar=texts,
            mode=st.sampled_from(CalendarMode),
            action=st.sampled_from(CalendarAction),
            business_day=st.none() | st.integers(-23, 23),
        ),
        max_size=3,
    ).map(tuple),
    tags=st.dictionaries(texts, texts, max_size=3),
)
resolutions = st.builds(
    Resolution,
    settled=st.sampled_from(Settled),
    by=texts,
    at=instants,
    note=st.none() | texts,
    operation=st.none() | job_ids.map(OperationId),
    job_version=st.none() | counts,
    payload_corrected=st.booleans(),
    fresh=st.booleans(),
    request=st.none() | st.builds(AskedAs, key=texts, hash=texts),
)
#: What only dead letters have, and what follows them.
settled: st.SearchStrategy[dict[str, Any]] = st.fixed_dictionaries(
    {
        "payload": st.none() | payloads,
        "resolution": st.none() | resolutions,
        "stored_result": st.none() | st.builds(StoredResult, blob=texts, size_bytes=counts),
    }
)
jobs = st.builds(
    Job,
    timing=timings,
    name=texts,
    action=actions,
    payload=payloads,
    timeout_seconds=st.integers(1, 900),
    retry=st.builds(
        RetryPolicy,
        max_attempts=st.integers(1, 100),
        backoff=st.sampled_from(Backoff),
        initial_delay_seconds=seconds,
        max_delay_seconds=seconds,
        jitter=st.booleans(),
        window_seconds=st.none() | st.integers(1, 10**6),
        breaker=st.none() | st.builds(Breaker, failures=st.integers(2, 10), window_seconds=seconds),
        retry_on=st.lists(texts, max_size=3).map(tuple),
        give_up_on=st.lists(texts, max_size=3).map(tuple),
    ),
    updated_at=instants,
    request_hash=texts,
    description=texts,
    metadata=st.dictionaries(texts, texts, max_size=3),
    delivery=st.sampled_from(DeliveryMode),
    overlap=st.builds(
        Overlap,
        policy=st.sampled_from(OverlapPolicy),
        max_concurrent=st.integers(1, 1000),
        concurrency_key=st.none() | st.text(min_size=1, max_size=20),
    ),
    last_operation=st.none() | job_ids.map(OperationId),
    long_run=st.none()
    | st.builds(
        LongRun,
        max_duration_seconds=st.integers(1, 604_800),
        max_slices=st.integers(1, 10_000),
    ),
    notifications=st.lists(hooks, max_size=3).map(tuple),
    late_after_seconds=st.none() | st.integers(0, 86_400),
    finish_by=st.none() | deadlines,
    rate_limit=st.none() | rate_limits,
    then=st.lists(follow_ups, max_size=3).map(tuple),
    before=st.none() | conditions,
)


progress = st.builds(
    Progress,
    percent=st.none() | st.floats(0, 100),
    message=st.none() | st.text(min_size=1, max_size=20),
    at=instants,
)
checkpoints = st.builds(
    Checkpoint,
    sequence=st.integers(1, 10**6),
    inline=st.none() | texts,
    blob=st.none() | texts,
    size_bytes=counts,
    written_at=instants,
    fence=counts,
)


slices = st.builds(
    Slices,
    ended=st.integers(0, 10**4),
    begun_at=st.none() | instants,
    last=st.none() | st.builds(Slice, started_at=instants, ended_at=instants, fence=counts),
)


queueing = st.builds(
    Queueing, line=st.sampled_from(Line), slots=counts, fence=counts, key=st.none() | texts
)


@st.composite
def _silent_attempts(draw: st.DrawFn) -> Attempt:
    """In any state, held by anybody: a lease's fence is its attempt's."""
    fence = draw(st.integers(0, 10))
    leases = st.builds(
        Lease, owner=texts, fence=st.just(fence), expires_at=instants, deadline_at=instants
    )
    return Attempt(
        tenant=draw(tenants),
        id=draw(attempt_ids),
        state=draw(st.sampled_from(RunState)),
        job_version=draw(counts),
        priority=draw(st.sampled_from(Priority)),
        resource_class=draw(st.sampled_from(ResourceClass)),
        precision=draw(st.sampled_from(Precision)),
        due_at=draw(instants),
        created_at=draw(instants),
        watch_at=draw(st.none() | instants),
        final=draw(st.booleans()),
        direct=draw(st.booleans()),
        fence=fence,
        lease=draw(st.none() | leases),
        cancel_requested=draw(st.booleans()),
        started_at=draw(st.none() | instants),
        ended_at=draw(st.none() | instants),
        reason=draw(st.none() | st.sampled_from(Reason)),
        error=draw(st.none() | st.builds(RunError, code=texts, type=texts, message=texts)),
        result=draw(st.none() | st.text(min_size=1, max_size=20)),
        fenced_from=draw(st.integers(0, fence)),
        explanation=draw(st.none() | st.text(min_size=1, max_size=20)),
        delivery=draw(st.sampled_from(DeliveryMode)),
        releases=draw(st.integers(0, 9)),
        duplicates_prevented=draw(st.integers(0, 9)),
        kept_answer=draw(st.none() | st.builds(KeptAnswer, text=texts, fence=counts, at=instants)),
        failed_at=tuple(draw(st.lists(instants, max_size=3))),
        operation=draw(st.none() | job_ids.map(OperationId)),
        opened_as=draw(st.integers(1, 9999)),
        opened_at=draw(st.none() | instants),
        frozen_since=draw(st.none() | instants),
        **draw(settled),
    )


@st.composite
def attempts(draw: st.DrawFn) -> Attempt:
    """Attempts in any state, with the fields that pools, workers and other runs set."""
    silent = draw(_silent_attempts())
    replaced_by = draw(st.none() | attempt_ids.map(lambda each: each.run))
    return replace(
        silent,
        replaced_by=replaced_by,
        reason=reason_of_stop(silent.reason, replaced_by),
        progress=draw(st.none() | progress),
        checkpoint=draw(st.none() | checkpoints),
        offer=draw(st.none() | offers),
        lease_key=draw(st.none() | texts),
        queueing=draw(st.none() | queueing),
        slices=draw(slices),
        notify=draw(occasions),
        notice=draw(st.none() | texts),
        pace=draw(st.none() | paces),
        parent=draw(st.none() | parents),
        checks=draw(st.none() | checks),
        finish=draw(st.none() | finishes),
    )
