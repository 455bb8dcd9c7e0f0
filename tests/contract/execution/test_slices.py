"""``RunStore``: the end of a slice, in one write that publishes the next."""

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest

from tests.contract.execution.test_checkpoints import checkpoint
from tests.contract.pools.test_pools import claimed, offered_run, seen, shown
from tests.support.factories import NOW, after, attempt_factory, lease_factory, running
from tests.support.stores.contract_stores import SHARD, Stores
from timegate.domain.execution.long_run import next_slice
from timegate.domain.jobs.slices import Continuation, LongRun, Slice, Slices
from timegate.domain.runs.checkpoint import Progress, Report
from timegate.domain.runs.conclusion import end
from timegate.domain.runs.run import Attempt, RunState
from timegate.ports.runs.claims import LeaseClaim
from timegate.ports.stores import AttemptRef

HOURS = LongRun(max_duration_seconds=6 * 3600)


def held(stores: Stores) -> Attempt:
    """A long run at its first slice."""
    read = stores.add(attempt_factory())
    claim = LeaseClaim(attempt=read, job_version=1, lease=lease_factory(), begins_at=NOW)
    assert stores.runs.claim_all([claim]) == [True]
    return stores.stored(read)


def ended(read: Attempt, *, sequence: int | None = 1, **order: Any) -> Attempt:  # noqa: ANN401
    """The attempt with its slice over."""
    return next_slice(
        read,
        Continuation(**order),
        HOURS,
        started_at=after(1),
        checkpoint=checkpoint(sequence) if sequence is not None else None,
        now=after(20),
    )


def take_over(stores: Stores, read: Attempt) -> Attempt:
    """The attempt under another worker's lease."""
    lease = lease_factory(owner="worker-2", fence=read.fence + 1, expires_at=after(120))
    assert stores.runs.claim_all([LeaseClaim(attempt=read, job_version=1, lease=lease)]) == [True]
    return stores.stored(read)


def test_the_first_claim_of_a_long_run_begins_it(stores: Stores) -> None:
    """Later ones leave that as it is."""
    read = held(stores)

    assert read.slices == Slices(begun_at=NOW)
    assert take_over(stores, read).slices == Slices(begun_at=NOW)


def test_the_end_of_a_slice_queues_the_next(stores: Stores) -> None:
    """No worker holds it, its checkpoint is stored, and the sweeper looks at it in time."""
    read = stores.stored(held(stores))
    after_it = ended(read, percent=50, message="half")

    assert stores.runs.end_slice(read, after_it)
    assert stores.stored(read) == after_it
    assert after_it.slices == Slices(
        ended=1, begun_at=NOW, last=Slice(started_at=after(1), ended_at=after(20), fence=1)
    )
    assert after_it.progress == Progress(percent=50, message="half", at=after(20))
    overdue = stores.runs.overdue("20261121T0701", SHARD, until=after(110))
    assert list(overdue) == [AttemptRef(tenant=read.tenant, id=read.id)]


def test_a_slice_that_is_far_away_waits(stores: Stores) -> None:
    """And is claimed like any other under the next fence."""
    read = held(stores)

    assert stores.runs.end_slice(read, ended(read, delay_seconds=3600))
    assert stores.stored(read).state is RunState.WAITING
    assert stores.stored(read).due_at == NOW + timedelta(seconds=3620)


def test_a_slice_of_a_lost_lease_does_not_end(stores: Stores) -> None:
    """Taken over, or ended: its checkpoint counts for nothing."""
    read = held(stores)
    second = take_over(stores, read)

    assert not stores.runs.end_slice(read, ended(read))
    assert stores.stored(read) == second

    stores.runs.finish_all([end(second, RunState.SUCCEEDED, now=after(2))])

    assert not stores.runs.end_slice(second, ended(second))
    assert stores.stored(read).state is RunState.SUCCEEDED
    assert stores.stored(read).checkpoint is None


def test_the_end_of_a_slice_whose_answer_was_lost_is_still_ours(stores: Stores) -> None:
    """Also when the next one is at work already, to which it does nothing."""
    read = held(stores)
    stores.runs.end_slice(read, ended(read))

    assert stores.runs.end_slice(read, ended(read))
    assert stores.stored(read).slices.ended == 1

    second = take_over(stores, stores.stored(read))

    assert stores.runs.end_slice(read, ended(read))
    assert stores.stored(read) == second


def test_the_last_checkpoint_of_a_slice_follows_all_before(stores: Stores) -> None:
    """Also those that were reported after the attempt had been read."""
    read = held(stores)
    stores.runs.extend(read, expires_at=after(90), report=Report(checkpoint=checkpoint(4)))

    assert stores.runs.end_slice(read, ended(read, sequence=1))
    assert stores.stored(read).checkpoint == replace(checkpoint(1), sequence=5)


def test_a_slice_that_says_nothing_at_its_end_leaves_what_was_said(stores: Stores) -> None:
    """The last checkpoint and the last progress, although it had not heard of them."""
    read = held(stores)
    said = Progress(percent=10, at=after(10))
    report = Report(progress=said, checkpoint=checkpoint(4))
    stores.runs.extend(read, expires_at=after(90), report=report)

    assert stores.runs.end_slice(read, ended(read, sequence=None))
    assert stores.stored(read).checkpoint == checkpoint(4)
    assert stores.stored(read).progress == said


def test_the_end_of_a_slice_keeps_a_cancel_and_forgets_releases(stores: Stores) -> None:
    """The next worker must not begin; what was held against its leases is disproved."""
    read = held(stores)
    stores.runs.release(read, state=RunState.QUEUED, watch_at=after(95))
    second = take_over(stores, stores.stored(read))
    second = replace(second, cancel_requested=True, alone=1)
    stores.runs.replace(stores.stored(read), second)

    assert stores.runs.end_slice(second, ended(second))
    assert (stores.stored(read).cancel_requested, stores.stored(read).releases) == (True, 0)
    assert (stores.stored(read).deaths, stores.stored(read).alone) == (0, 0)


@pytest.mark.parametrize("missing", [True, False], ids=["not-there", "not-claimed"])
def test_what_is_not_at_work_has_no_slice_to_end(stores: Stores, *, missing: bool) -> None:
    """And is not created."""
    read = attempt_factory() if missing else stores.add(attempt_factory())
    ghost = running(read)

    assert not stores.runs.end_slice(ghost, ended(ghost))
    assert stores.exists(read) is not missing


def test_a_run_between_its_slices_is_changed_as_it_was_read(stores: Stores) -> None:
    """Cancelled, say; nothing of what it carries is lost."""
    read = held(stores)
    stores.runs.end_slice(read, ended(read, delay_seconds=3600))
    waits = stores.stored(read)
    cancelled = end(waits, RunState.CANCELLED, now=after(30))

    assert stores.runs.replace(waits, cancelled)
    assert stores.stored(read) == cancelled


@pytest.mark.parametrize(
    ("delay", "at"),
    [
        pytest.param(0, after(20), id="at-once"),
        pytest.param(30, after(50), id="later"),
        pytest.param(3600, None, id="far-away"),
    ],
)
def test_a_pool_shows_the_next_slice_when_it_is_due(
    stores: Stores, delay: float, at: datetime | None
) -> None:
    """Not when the lease of the last one would have ended."""
    read = claimed(stores, offered_run(stores))

    assert stores.runs.end_slice(read, ended(read, delay_seconds=delay))
    assert seen(stores, until=after(3600)) == ([shown(read, at)] if at is not None else [])
