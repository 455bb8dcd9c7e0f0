"""A lease is handed back, counted and kept answered alike over both kinds of store."""

from dataclasses import replace
from typing import Any

import pytest

from tests.support.factories import after, attempt_factory, lease_factory
from tests.support.stores.contract_stores import SHARD, Stores
from timegate.domain.jobs.delivery import DeliveryMode, KeptAnswer
from timegate.domain.runs.conclusion import end
from timegate.domain.runs.lease import Lease
from timegate.domain.runs.run import Attempt, RunState
from timegate.ports.runs.claims import LeaseClaim
from timegate.ports.stores import AttemptRef

ANSWER = KeptAnswer(text="ok", fence=1, at=after(5))


def claim(stores: Stores, read: Attempt, lease: Lease, **fields: Any) -> Attempt:  # noqa: ANN401
    """Claim an attempt; as it is then."""
    assert stores.runs.claim_all([LeaseClaim(attempt=read, job_version=1, lease=lease, **fields)])
    return stores.stored(read)


def held(stores: Stores, **fields: DeliveryMode) -> Attempt:
    """An attempt under its first lease."""
    return claim(stores, stores.add(attempt_factory()), lease_factory(), **fields)


@pytest.mark.parametrize("state", [RunState.QUEUED, RunState.WAITING], ids=str)
def test_a_release_gives_the_lease_back_and_counts_it(stores: Stores, state: RunState) -> None:
    """In one write: no worker holds it, the sweeper looks then and not before; its fence stays."""
    read = held(stores)
    expected = replace(
        read, state=state, lease=None, watch_at=after(155), releases=1, fence=1, direct=False
    )

    assert stores.runs.release(read, state=state, watch_at=after(155))
    assert stores.stored(read) == expected
    assert list(stores.runs.overdue("20261121T0701", SHARD, until=after(155))) == []
    overdue = stores.runs.overdue("20261121T0702", SHARD, until=after(155))
    assert list(overdue) == [AttemptRef(tenant=read.tenant, id=read.id)]


@pytest.mark.parametrize("state", [RunState.QUEUED, RunState.WAITING], ids=str)
def test_what_was_released_waits_for_no_freeze(stores: Stores, state: RunState) -> None:
    """It began after the freeze: a sweeper would let it be due anew, and its account name that."""
    read = claim(stores, stores.add(attempt_factory(frozen_since=after(-60))), lease_factory())
    stores.runs.release(read, state=state, watch_at=after(155))

    assert read.frozen_since == after(-60)
    assert stores.stored(read).frozen_since is None


def test_what_was_released_is_claimed_like_any_other(stores: Stores) -> None:
    """Under the next fence."""
    read = held(stores)
    stores.runs.release(read, state=RunState.QUEUED, watch_at=after(95))
    again = claim(stores, stores.stored(read), lease_factory(owner="worker-2", fence=2))

    assert (again.state, again.fence, again.leases, again.deaths) == (RunState.RUNNING, 2, 2, 1)


def test_a_lease_taken_alone_is_counted_until_it_is_handed_back(stores: Stores) -> None:
    """Written by the claim; a release takes it back, and leaves those that ended without a word."""
    first = held(stores)
    second = claim(stores, first, lease_factory(fence=2), alone=1)
    third = claim(stores, second, lease_factory(fence=3), alone=2)
    stores.runs.release(third, state=RunState.QUEUED, watch_at=after(95))
    released = stores.stored(third)
    stores.runs.release(
        claim(stores, released, lease_factory(fence=4), alone=2),
        state=RunState.QUEUED,
        watch_at=after(95),
    )

    assert (first.alone, second.alone, third.alone, released.alone) == (0, 1, 2, 1)
    assert (stores.stored(first).alone, stores.stored(first).deaths) == (1, 2)


def test_a_lease_that_is_lost_cannot_be_given_back(stores: Stores) -> None:
    """Taken over, or ended."""
    read = held(stores)
    taken = claim(stores, read, lease_factory(owner="worker-2", fence=2))

    assert not stores.runs.release(read, state=RunState.QUEUED, watch_at=after(95))
    assert stores.stored(read) == taken

    stores.runs.finish_all([end(taken, RunState.SUCCEEDED, now=after(2))])

    assert not stores.runs.release(taken, state=RunState.QUEUED, watch_at=after(95))
    assert stores.stored(read).state is RunState.SUCCEEDED


def test_a_release_whose_answer_was_lost_is_still_ours(stores: Stores) -> None:
    """And is counted once."""
    read = held(stores)
    stores.runs.release(read, state=RunState.QUEUED, watch_at=after(95))

    assert stores.runs.release(read, state=RunState.QUEUED, watch_at=after(95))
    assert stores.stored(read).releases == 1


def test_a_release_keeps_a_cancel(stores: Stores) -> None:
    """The next worker must not begin again."""
    read = held(stores)
    stores.runs.replace(read, replace(read, cancel_requested=True))
    stores.runs.release(read, state=RunState.QUEUED, watch_at=after(95))

    assert stores.stored(read).cancel_requested


def test_an_answer_is_kept_through_any_holder_of_the_run(stores: Stores) -> None:
    """The first one; and the image of one that is queued publishes nothing."""
    read = held(stores)
    taken = claim(stores, read, lease_factory(owner="worker-2", fence=2))

    assert stores.runs.keep_answer(read, ANSWER)
    assert stores.stored(read) == replace(taken, kept_answer=ANSWER, direct=True)
    assert not stores.runs.keep_answer(read, replace(ANSWER, text="another"))
    assert stores.stored(read).kept_answer == ANSWER


def test_an_answer_is_kept_by_what_has_ended(stores: Stores) -> None:
    """Its state does not change: a retry finds it there."""
    read = held(stores)
    stores.runs.finish_all([end(read, RunState.TIMED_OUT, now=after(2))])
    ended = stores.stored(read)

    assert stores.runs.keep_answer(read, ANSWER)
    assert stores.stored(read) == replace(ended, kept_answer=ANSWER, direct=True)


def test_duplicates_are_counted_one_by_one(stores: Stores) -> None:
    """The end of the attempt does not stop the count."""
    read = held(stores)
    stores.runs.count_duplicate(read)
    stores.runs.finish_all([end(read, RunState.SUCCEEDED, now=after(2))])
    stores.runs.count_duplicate(read)

    assert stores.stored(read).duplicates_prevented == 2
    assert stores.stored(read).state is RunState.SUCCEEDED


def test_a_duplicate_of_a_queued_run_publishes_nothing(stores: Stores) -> None:
    """The run has the message that it waits for: the image of the count is no other."""
    read = held(stores)
    stores.runs.release(read, state=RunState.QUEUED, watch_at=after(95))
    queued = stores.stored(read)
    stores.runs.count_duplicate(queued)

    assert stores.stored(read) == replace(queued, duplicates_prevented=1, direct=True)


def test_nothing_is_created_by_counting_or_keeping(stores: Stores) -> None:
    """A missing attempt stays missing."""
    ghost = attempt_factory()
    stores.runs.count_duplicate(ghost)

    assert not stores.runs.keep_answer(ghost, ANSWER)
    assert not stores.runs.release(ghost, state=RunState.QUEUED, watch_at=after(95))
    assert not stores.exists(ghost)


@pytest.mark.parametrize("meanwhile", ["answer", "duplicate"])
def test_an_earlier_reader_does_not_undo_it(stores: Stores, meanwhile: str) -> None:
    """A write of the whole attempt is refused: it would lose what came in between."""
    read = held(stores)
    if meanwhile == "answer":
        stores.runs.keep_answer(read, ANSWER)
    else:
        stores.runs.count_duplicate(read)

    assert not stores.runs.replace(read, replace(read, state=RunState.QUEUED, lease=None))
    assert stores.stored(read).state is RunState.RUNNING


def test_a_claim_records_the_mode_of_its_job(stores: Stores) -> None:
    """The last one's."""
    read = held(stores, delivery=DeliveryMode.EXACTLY_ONCE)
    assert read.delivery is DeliveryMode.EXACTLY_ONCE

    again = claim(stores, read, lease_factory(owner="worker-2", fence=2))

    assert again.delivery is DeliveryMode.AT_LEAST_ONCE
