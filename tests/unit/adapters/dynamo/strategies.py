"""Any attempt that could be stored."""

from dataclasses import replace
from typing import Any

from hypothesis import strategies as st

from tests.unit.adapters.dynamo.finish_strategies import finishes
from tests.unit.adapters.dynamo.hook_strategies import (
    checks,
    occasions,
    parents,
    payloads,
)
from tests.unit.adapters.dynamo.job_strategies import offers
from tests.unit.adapters.dynamo.plain_strategies import (
    attempt_ids,
    counts,
    instants,
    job_ids,
    seconds,
    tenants,
    texts,
)
from tests.unit.adapters.dynamo.rate_strategies import paces
from timegate.domain.jobs.delivery import DeliveryMode, KeptAnswer
from timegate.domain.jobs.demands import Precision, Priority, ResourceClass
from timegate.domain.jobs.slices import Slice, Slices
from timegate.domain.limits.wait_queue import Queueing, WaitQueue
from timegate.domain.runs.checkpoint import Checkpoint, Progress
from timegate.domain.runs.lease import Lease, Pickup
from timegate.domain.runs.resolution import AskedAs, Resolution, Settled
from timegate.domain.runs.run import Attempt, Reason, RunError, RunState, reason_of_stop
from timegate.domain.runs.run_result import StoredResult
from timegate.domain.values.identity import OperationId

pickups = st.builds(
    Pickup,
    published_at=st.none() | instants,
    received_at=st.none() | instants,
    claimed_at=instants,
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
#: Fields that only dead letters have, and their successors.
settled: st.SearchStrategy[dict[str, Any]] = st.fixed_dictionaries(
    {
        "payload": st.none() | payloads,
        "resolution": st.none() | resolutions,
        "stored_result": st.none() | st.builds(StoredResult, blob=texts, size_bytes=counts),
    }
)


progress = st.builds(
    Progress,
    percent=st.none() | seconds.map(lambda each: min(each, 100.0)),
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
    Queueing, line=st.sampled_from(WaitQueue), slots=counts, fence=counts, key=st.none() | texts
)


@st.composite
def _silent_attempts(draw: st.DrawFn) -> Attempt:
    """In any state, held by any worker: a lease's fence is its attempt's."""
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
        counted=draw(st.booleans()),
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
        pickup=draw(st.none() | pickups),
    )
