"""``RunStore``: what a worker says of its run with a heartbeat, and who may say so."""

from dataclasses import replace

import pytest

from tests.support.factories import after, attempt_factory, attempt_id, lease_factory, running
from tests.support.stores.contract_stores import Stores
from timegate.domain.runs.checkpoint import Checkpoint, Progress, Report
from timegate.domain.runs.conclusion import end, next_attempt
from timegate.domain.runs.run import Attempt, Reason, RunState
from timegate.domain.values.errors import CheckpointOutdated, LeaseLost
from timegate.ports.runs.claims import LeaseClaim
from timegate.ports.runs.held_leases import RetryWritten

HALF_WAY = Progress(percent=50.5, message="row 500", at=after(10))


def checkpoint(sequence: int, *, fence: int = 1, inline: str | None = None) -> Checkpoint:
    """One that a worker writes under its lease."""
    text = inline if inline is not None else f'{{"row": {sequence}}}'
    return Checkpoint(
        sequence=sequence, inline=text, size_bytes=len(text), written_at=after(10), fence=fence
    )


def held(stores: Stores) -> Attempt:
    """An attempt under its first lease."""
    return stores.add(running(attempt_factory()))


def report(stores: Stores, read: Attempt, said: Report) -> bool:
    """Return the answer to a heartbeat."""
    return stores.runs.extend(read, expires_at=after(90), report=said)


def test_a_heartbeat_carries_progress_and_checkpoint(stores: Stores) -> None:
    """In the write that renews the lease, and nothing else changes (R12)."""
    read = held(stores)

    assert not report(stores, read, Report(progress=HALF_WAY, checkpoint=checkpoint(1)))
    assert stores.stored(read) == replace(
        read,
        lease=lease_factory(expires_at=after(90)),
        progress=HALF_WAY,
        checkpoint=checkpoint(1),
    )


def test_what_is_not_said_again_stays_said(stores: Stores) -> None:
    """A heartbeat that reports nothing, and one that reports the one without the other."""
    read = held(stores)
    report(stores, read, Report(progress=HALF_WAY, checkpoint=checkpoint(1)))
    stores.runs.extend(read, expires_at=after(91))
    report(stores, read, Report(checkpoint=checkpoint(2)))

    assert stores.stored(read).progress == HALF_WAY
    assert stores.stored(read).checkpoint == checkpoint(2)


def test_a_later_report_leaves_nothing_of_an_earlier_one(stores: Stores) -> None:
    """A message without its percentage, a checkpoint that has moved to the blob store."""
    read = held(stores)
    report(stores, read, Report(progress=HALF_WAY, checkpoint=checkpoint(1)))
    only_message = Progress(message="row 700", at=after(20))
    large = replace(checkpoint(2), inline=None, blob="checkpoints/x", size_bytes=5_000)
    report(stores, read, Report(progress=only_message, checkpoint=large))

    assert stores.stored(read).progress == only_message
    assert stores.stored(read).checkpoint == large


def test_a_fenced_out_worker_reports_nothing(stores: Stores) -> None:
    """Its checkpoint would send the run back to where it was (R6)."""
    first = held(stores)
    later = lease_factory(owner="worker-2", fence=2, expires_at=after(120))
    assert stores.runs.claim_all([LeaseClaim(attempt=first, job_version=1, lease=later)]) == [True]
    second = stores.stored(first)
    report(stores, second, Report(checkpoint=checkpoint(1, fence=2)))
    with pytest.raises(LeaseLost):
        report(stores, first, Report(progress=HALF_WAY, checkpoint=checkpoint(2)))

    assert stores.stored(first).checkpoint == checkpoint(1, fence=2)
    assert stores.stored(first).progress is None


def test_what_has_ended_or_is_not_there_takes_no_checkpoint(stores: Stores) -> None:
    """Its worker must stop."""
    read = held(stores)
    stores.runs.finish_all([end(read, RunState.SUCCEEDED, now=after(2))])
    ghost = running(attempt_factory(id=attempt_id(7)))
    for each in (read, ghost):
        with pytest.raises(LeaseLost):
            report(stores, each, Report(checkpoint=checkpoint(1)))

    assert stores.stored(read).checkpoint is None
    assert not stores.exists(ghost)


@pytest.mark.parametrize("sequence", [1, 2], ids=["earlier", "the-same"])
def test_a_checkpoint_never_replaces_a_later_one(stores: Stores, sequence: int) -> None:
    """Two heartbeats of one worker may overtake each other; neither renews the lease then."""
    read = held(stores)
    report(stores, read, Report(checkpoint=checkpoint(2)))
    before = stores.stored(read)
    other = checkpoint(sequence, inline='{"row": "other"}')
    with pytest.raises(CheckpointOutdated):
        stores.runs.extend(read, expires_at=after(99), report=Report(checkpoint=other))

    assert before == stores.stored(read)


def test_a_report_whose_answer_was_lost_is_still_ours(stores: Stores) -> None:
    """Sent again it says so, with what has been asked of its worker since."""
    read = held(stores)
    said = Report(checkpoint=checkpoint(1))
    report(stores, read, said)
    stored = stores.stored(read)
    stores.runs.replace(stored, replace(stored, cancel_requested=True))

    assert report(stores, read, said)
    assert stores.stored(read).checkpoint == checkpoint(1)


def test_a_take_over_begins_at_the_last_checkpoint(stores: Stores) -> None:
    """A claim, a release and an end leave it where it is."""
    read = held(stores)
    report(stores, read, Report(checkpoint=checkpoint(3)))
    held_on = stores.stored(read)
    stores.runs.release(held_on, state=RunState.QUEUED, watch_at=after(95))
    lease = lease_factory(owner="worker-2", fence=2)
    stores.runs.claim_all([LeaseClaim(attempt=stores.stored(read), job_version=1, lease=lease)])
    taken = stores.stored(read)

    assert taken.checkpoint == checkpoint(3)

    stores.runs.finish_all([end(taken, RunState.SUCCEEDED, now=after(99))])

    assert stores.stored(read).checkpoint == checkpoint(3)


def test_a_retry_begins_at_the_last_checkpoint(stores: Stores) -> None:
    """Also at one that was reported after the failed attempt had been read."""
    read = held(stores)
    report(stores, read, Report(checkpoint=checkpoint(1)))
    known = stores.stored(read)
    report(stores, read, Report(checkpoint=checkpoint(2)))
    ended = end(known, RunState.FAILED, now=after(20), reason=Reason.RETRIED)
    retry = next_attempt(known, after(25), after(20))

    assert stores.runs.finish_and_retry(ended, retry) is RetryWritten.DONE
    assert stores.stored(retry).checkpoint == checkpoint(2)
    assert stores.stored(read).checkpoint == checkpoint(2)
    assert stores.runs.finish_and_retry(ended, retry) is RetryWritten.DONE


def test_a_report_is_a_change(stores: Stores) -> None:
    """An earlier reader of the attempt writes nothing back, even with the same expiry."""
    read = held(stores)
    said = Report(checkpoint=checkpoint(1))
    stores.runs.extend(read, expires_at=after(60), report=said)

    assert not stores.runs.replace(read, end(read, RunState.CANCELLED, now=after(5)))

    before = stores.stored(read)
    stores.runs.extend(before, expires_at=after(60), report=Report(progress=HALF_WAY))

    assert not stores.runs.replace(before, end(before, RunState.CANCELLED, now=after(5)))
    assert stores.stored(read).state is RunState.RUNNING
