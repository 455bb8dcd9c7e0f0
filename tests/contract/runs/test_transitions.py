"""``RunStore``: an end with its retry, and changes of an attempt as it was read."""

from dataclasses import replace

import pytest

from tests.support.factories import after, attempt_factory, attempt_id, lease_factory, running
from tests.support.stores.contract_stores import MINUTE, SHARD, Stores
from timegate.domain.runs.conclusion import end, next_attempt
from timegate.domain.runs.run import Attempt, Reason, RunError, RunState
from timegate.ports.runs.claims import LeaseClaim
from timegate.ports.runs.held_leases import RetryWritten


def leased(stores: Stores) -> Attempt:
    """An attempt that a worker holds."""
    read = stores.add(attempt_factory())
    stores.runs.claim_all([LeaseClaim(attempt=read, job_version=1, lease=lease_factory())])
    return stores.stored(read)


def failed(read: Attempt) -> Attempt:
    """The attempt, followed by a retry."""
    error = RunError(code="http_503", type="HttpStatus", message="The target answered 503.")
    ended = end(read, RunState.FAILED, now=after(2), reason=Reason.RETRIED)
    return replace(ended, started_at=after(1), error=error)


def retry_of(read: Attempt) -> Attempt:
    return next_attempt(read, after(5), after(2))


def test_an_end_and_its_retry_are_written_together(stores: Stores) -> None:
    """The end is recorded and the next attempt waits to be published (R8)."""
    read = leased(stores)
    ended, retry = failed(read), retry_of(read)

    assert stores.runs.finish_and_retry(ended, retry) is RetryWritten.DONE
    assert stores.stored(ended) == ended
    assert stores.stored(retry) == retry
    assert stores.runs.attempts(read.tenant, read.id.run) == (ended, retry)


def test_a_retry_of_a_lost_lease_is_not_created(stores: Stores) -> None:
    """Neither is the end: the other worker decides."""
    read = leased(stores)
    later = LeaseClaim(attempt=read, job_version=1, lease=lease_factory(owner="worker-2", fence=2))
    stores.runs.claim_all([later])

    assert stores.runs.finish_and_retry(failed(read), retry_of(read)) is RetryWritten.LEASE_LOST
    assert stores.stored(read).state is RunState.RUNNING
    assert not stores.exists(retry_of(read))


def test_a_retry_whose_answer_was_lost_is_written_once(stores: Stores) -> None:
    """Sent again it says so, and undoes nothing that happened to the retry since."""
    read = leased(stores)
    stores.runs.finish_and_retry(failed(read), retry_of(read))
    lease = lease_factory(owner="worker-2")
    stores.runs.claim_all([LeaseClaim(attempt=retry_of(read), job_version=1, lease=lease)])

    assert stores.runs.finish_and_retry(failed(read), retry_of(read)) is RetryWritten.DONE
    assert stores.stored(retry_of(read)).state is RunState.RUNNING


@pytest.mark.parametrize(
    "other",
    [
        pytest.param({"ended_at": after(3)}, id="later"),
        pytest.param({"state": RunState.TIMED_OUT}, id="in-the-same-moment"),
    ],
)
def test_another_end_after_a_retry_is_refused(stores: Stores, other: dict[str, object]) -> None:
    """A run has one attempt of each number, and an attempt one end."""
    read = leased(stores)
    stores.runs.finish_and_retry(failed(read), retry_of(read))
    ended = replace(failed(read), **other)  # type: ignore[arg-type]

    assert stores.runs.finish_and_retry(ended, retry_of(read)) is RetryWritten.LEASE_LOST
    assert stores.stored(read) == failed(read)


def test_a_retry_that_exists_already_ends_nothing(stores: Stores) -> None:
    """Both or neither."""
    read = leased(stores)
    stores.add(retry_of(read))

    assert stores.runs.finish_and_retry(failed(read), retry_of(read)) is RetryWritten.LEASE_LOST
    assert stores.stored(read) == read


def test_a_cancelled_run_is_not_tried_again(stores: Stores) -> None:
    """However late the request came: neither is written, and the lease is still its worker's."""
    read = leased(stores)
    cancelled = replace(read, cancel_requested=True)
    assert stores.runs.replace(read, cancelled)

    assert stores.runs.finish_and_retry(failed(read), retry_of(read)) is RetryWritten.CALLED_OFF
    assert stores.stored(read) == cancelled
    assert not stores.exists(retry_of(read))
    assert stores.runs.finish_all([end(read, RunState.CANCELLED, now=after(2))]) == [True]


def test_a_cancel_does_not_hide_that_the_lease_was_lost(stores: Stores) -> None:
    """The worker that took over decides about the run."""
    read = leased(stores)
    later = LeaseClaim(attempt=read, job_version=1, lease=lease_factory(owner="worker-2", fence=2))
    stores.runs.claim_all([later])
    taken = stores.stored(read)
    assert stores.runs.replace(taken, replace(taken, cancel_requested=True))

    assert stores.runs.finish_and_retry(failed(read), retry_of(read)) is RetryWritten.LEASE_LOST


def test_a_replaced_attempt_is_the_new_one_and_nothing_else(stores: Stores) -> None:
    """Fields that the new one lacks are gone: the lease of a run that is queued again."""
    read = leased(stores)
    queued = replace(read, state=RunState.QUEUED, lease=None, watch_at=after(10))

    assert stores.runs.replace(read, queued)
    assert stores.stored(read) == queued
    assert [read.id] == [ref.id for ref in stores.overdue(MINUTE, SHARD, until=after(10))]


def test_touching_is_a_change(stores: Stores) -> None:
    """A queued image in the stream means publish: the sweeper writes it once more."""
    read = stores.add(attempt_factory())
    touched = replace(read, watch_at=after(200))

    assert stores.runs.replace(read, touched)
    assert not stores.runs.replace(read, replace(read, watch_at=after(300)))
    assert stores.stored(read) == touched


CHANGES = {
    "claimed": {"state": RunState.RUNNING, "fence": 2, "lease": lease_factory(fence=2)},
    "queued-again": {"state": RunState.QUEUED, "lease": None},
    "renewed": {"lease": lease_factory(expires_at=after(90))},
    "cancel-requested": {"cancel_requested": True},
    "put-off": {"watch_at": after(90.001)},
    "not-watched": {"watch_at": None},
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES.keys())
def test_an_attempt_that_changed_since_it_was_read_is_not_replaced(
    stores: Stores, change: dict[str, object]
) -> None:
    """After any act of another process, that act stays."""
    read = stores.add(running())
    theirs = replace(read, **change)  # type: ignore[arg-type]
    assert stores.runs.replace(read, theirs)
    ours = end(read, RunState.CANCELLED, now=after(5))

    assert not stores.runs.replace(read, ours)
    assert stores.stored(read) == theirs


def test_a_replacement_whose_answer_was_lost_is_still_ours(stores: Stores) -> None:
    """The client repeats the call by itself and meets its own write."""
    read = stores.add(attempt_factory())
    cancelled = end(read, RunState.CANCELLED, now=after(5), reason=Reason.CANCEL_REQUESTED)

    assert stores.runs.replace(read, cancelled)
    assert stores.runs.replace(read, cancelled)
    assert stores.stored(read) == cancelled


def test_an_end_under_a_lease_names_the_run_that_asked_for_it(stores: Stores) -> None:
    """The holder knows only that it is to stop; the record tells who asked."""
    held = stores.add(running())
    other = attempt_id(7).run
    assert stores.runs.replace(held, replace(held, cancel_requested=True, replaced_by=other))
    ended = end(held, RunState.CANCELLED, now=after(5), reason=Reason.CANCEL_REQUESTED)

    assert stores.runs.finish_all([ended]) == [True]
    stored = stores.stored(held)
    assert (stored.reason, stored.replaced_by) == (Reason.REPLACED, other)


def test_nothing_is_replaced_by_what_was_not_there(stores: Stores) -> None:
    """An attempt is created by inserting it."""
    ghost = attempt_factory(id=attempt_id(7))

    assert not stores.runs.replace(ghost, replace(ghost, cancel_requested=True))
    assert not stores.exists(ghost)
