"""``RunStore``: who holds an attempt, and what only its holder may do."""

from dataclasses import replace
from datetime import datetime

import pytest

from tests.support.factories import (
    after,
    attempt_factory,
    attempt_id,
    job_id,
    lease_factory,
    running,
)
from tests.support.stores.contract_stores import MINUTE, SHARD, Stores
from timegate.domain.runs.conclusion import end
from timegate.domain.runs.run import Attempt, RunState
from timegate.domain.values.errors import LeaseLost
from timegate.ports.runs.claims import LeaseClaim

EXPIRED = after(60)


def claim(
    read: Attempt, *, owner: str = "worker-1", expires_at: datetime | None = None
) -> LeaseClaim:
    """The next lease of an attempt as it was read, under the third version of its job."""
    lease = lease_factory(owner=owner, fence=read.fence + 1, expires_at=expires_at)
    return LeaseClaim(attempt=read, job_version=3, lease=lease)


def held(stores: Stores, *, number: int = 1, owner: str = "worker-1") -> Attempt:
    """An attempt that a worker has claimed."""
    read = stores.add(attempt_factory(id=attempt_id(number)))
    assert stores.runs.claim_all([claim(read, owner=owner)]) == [True]
    return stores.stored(read)


def taken_over(stores: Stores, read: Attempt) -> Attempt:
    """The attempt, under the lease of another worker."""
    later = claim(read, owner="worker-2", expires_at=after(120))
    assert stores.runs.claim_all([later]) == [True]
    return stores.stored(read)


def test_a_claim_writes_the_lease(stores: Stores) -> None:
    """With the version it executes under; its creator need not publish it any more (R5)."""
    read = stores.add(attempt_factory(direct=True))

    assert stores.runs.claim_all([claim(read)]) == [True]
    assert stores.stored(read) == replace(
        read,
        state=RunState.RUNNING,
        job_version=3,
        fence=1,
        lease=lease_factory(fence=1),
        direct=False,
    )


def test_a_claim_leaves_the_watch_alone(stores: Stores) -> None:
    """An ordinary run ends before the sweeper looks; one that does not is found."""
    read = stores.add(attempt_factory(watch_at=after(10)))
    stores.runs.claim_all([claim(read)])

    assert [read.id] == [ref.id for ref in stores.overdue(MINUTE, SHARD, until=after(10))]


def test_an_attempt_is_claimed_once(stores: Stores) -> None:
    """A reader from before the claim comes too late."""
    read = stores.add(attempt_factory())
    stores.runs.claim_all([claim(read)])

    assert stores.runs.claim_all([claim(read, owner="worker-2")]) == [False]
    assert stores.stored(read).lease == lease_factory(fence=1)


def test_a_claim_whose_answer_was_lost_is_still_ours(stores: Stores) -> None:
    """The client repeats the call by itself and meets its own lease."""
    read = stores.add(attempt_factory())
    stores.runs.claim_all([claim(read)])

    assert stores.runs.claim_all([claim(read)]) == [True]


def test_two_messages_of_one_attempt_claim_it_once(stores: Stores) -> None:
    """Received together by one worker, they would otherwise both be its own."""
    read = stores.add(attempt_factory())
    other = stores.add(attempt_factory(id=attempt_id(job=job_id("other"))))
    claims = [claim(read), claim(other), claim(read)]

    assert stores.runs.claim_all(claims) == [True, True, False]


def test_claims_are_decided_one_by_one(stores: Stores) -> None:
    """More than one batch of DynamoDB's takes; a lost one loses no other."""
    attempts = [attempt_factory(id=attempt_id(job=job_id(str(n)))) for n in range(30)]
    stores.runs.insert_all(attempts[1:])
    stores.runs.claim_all([claim(attempts[27], owner="worker-2")])
    expected = [n not in {0, 27} for n in range(30)]

    assert stores.runs.claim_all([claim(each) for each in attempts]) == expected
    assert not stores.exists(attempts[0])


def test_a_claim_of_what_has_ended_is_refused(stores: Stores) -> None:
    """An old message changes no outcome."""
    read = held(stores)
    stores.runs.finish_all([end(read, RunState.SUCCEEDED, now=after(1))])

    assert stores.runs.claim_all([claim(read)]) == [False]


def test_fences_grow_with_every_lease(stores: Stores) -> None:
    """A target that remembers the highest one refuses the workers before it (R6)."""
    read = stores.add(attempt_factory())
    fences = []
    for number in range(1, 5):
        stores.runs.claim_all([claim(stores.stored(read), owner=f"worker-{number}")])
        fences.append(stores.stored(read).fence)

    assert fences == [1, 2, 3, 4]


def test_a_lease_renewed_after_it_was_read_is_not_taken_over(stores: Stores) -> None:
    """Its fence is the same: the expiry tells."""
    read = held(stores)
    stores.runs.extend(read, expires_at=after(90))

    assert stores.runs.claim_all([claim(read, owner="worker-2")]) == [False]
    assert stores.stored(read).fence == 1


def test_a_lease_is_left_to_the_target_that_accepted_the_run(stores: Stores) -> None:
    """Its expiry is what the target was told, also where it is earlier; done twice, it is done."""
    read = held(stores)
    first = stores.runs.hand_over(read, expires_at=after(20), at=after(5))
    again = stores.runs.hand_over(read, expires_at=after(20), at=after(5))
    lease = stores.stored(read).lease

    assert (first, again) == (True, True)
    assert lease == replace(lease_factory(fence=1), expires_at=after(20), handed_over_at=after(5))


def test_what_a_target_has_renewed_is_not_shortened(stores: Stores) -> None:
    """Its first heartbeat may be quicker than its executor; from then on the lease is its own."""
    read = held(stores)
    stores.runs.extend(read, expires_at=after(306), handed_over_at=after(6))
    done = stores.runs.hand_over(read, expires_at=after(305), at=after(7))
    stores.runs.extend(read, expires_at=after(310), handed_over_at=after(10))
    lease = stores.stored(read).lease

    assert done
    assert lease == replace(lease_factory(fence=1), expires_at=after(310), handed_over_at=after(6))


def test_a_lost_lease_is_handed_to_no_target(stores: Stores) -> None:
    """Nor one whose run has ended: its target was quicker."""
    read = held(stores)
    stores.runs.claim_all([claim(stores.stored(read), owner="worker-2")])
    lost = stores.runs.hand_over(read, expires_at=after(90), at=after(5))
    second = held(stores, number=3)
    stores.runs.finish_all([end(second, RunState.SUCCEEDED, now=after(3))])
    ended = stores.runs.hand_over(second, expires_at=after(90), at=after(5))

    assert (lost, ended) == (False, False)
    assert stores.stored(read).fence == 2


def test_who_takes_over_from_a_target_holds_an_ordinary_lease(stores: Stores) -> None:
    """And what is handed back, or goes on in slices, has no holder."""
    read = held(stores)
    stores.runs.hand_over(read, expires_at=after(20), at=after(5))
    stores.runs.claim_all([claim(stores.stored(read), owner="worker-2")])
    taken = stores.stored(read)
    stores.runs.hand_over(taken, expires_at=after(20), at=after(6))
    stores.runs.release(stores.stored(read), state=RunState.QUEUED, watch_at=after(90))
    stores.runs.claim_all([claim(stores.stored(read), owner="worker-3")])
    again = stores.stored(read)

    assert taken.lease is not None
    assert again.lease is not None
    assert (taken.lease.handed_over_at, again.lease.handed_over_at) == (None, None)


def test_a_heartbeat_moves_the_expiry_and_nothing_else(stores: Stores) -> None:
    """An expired lease is extended too, until a worker takes the run over."""
    read = held(stores)
    cancel_requested = stores.runs.extend(read, expires_at=after(90))
    lease = replace(lease_factory(fence=1), expires_at=after(90))

    assert not cancel_requested
    assert stores.stored(read) == replace(read, lease=lease)


def test_a_heartbeat_hears_of_a_cancel(stores: Stores) -> None:
    """The cancel request stays for the next worker (R10)."""
    read = held(stores)
    assert stores.runs.replace(read, replace(read, cancel_requested=True))

    assert stores.runs.extend(read, expires_at=after(90))
    assert stores.stored(read).cancel_requested


def test_a_lost_lease_is_not_renewed(stores: Stores) -> None:
    """Taken over, queued again, ended or never there: its worker must stop."""
    read = held(stores)
    with pytest.raises(LeaseLost):
        stores.runs.extend(running(attempt_factory(id=attempt_id(2))), expires_at=after(90))
    second = taken_over(stores, read)
    with pytest.raises(LeaseLost):
        stores.runs.extend(read, expires_at=after(90))
    queued = replace(second, state=RunState.QUEUED, lease=None)
    assert stores.runs.replace(second, queued)
    with pytest.raises(LeaseLost):
        stores.runs.extend(second, expires_at=after(90))

    assert queued == stores.stored(read)


def test_an_end_is_written_and_nothing_is_left_to_watch(stores: Stores) -> None:
    """State, times and result; the lease stays as a record of who did it."""
    read = held(stores)
    ended = end(read, RunState.SUCCEEDED, now=after(2))
    ended = replace(ended, started_at=after(1), result="done")

    assert stores.runs.finish_all([ended]) == [True]
    assert stores.stored(read) == ended
    assert stores.overdue("20261121T0701", SHARD, until=after(3600)) == []


def test_an_empty_answer_is_no_result(stores: Stores) -> None:
    """A 204 says nothing."""
    read = held(stores)
    stores.runs.finish_all([replace(end(read, RunState.SUCCEEDED, now=after(2)), result="")])

    assert stores.stored(read).result is None


def test_an_end_keeps_what_it_does_not_speak_of(stores: Stores) -> None:
    """A cancel that was requested meanwhile, a lease that was renewed."""
    read = held(stores)
    stores.runs.replace(read, replace(read, cancel_requested=True))
    stores.runs.extend(read, expires_at=after(90))
    stores.runs.finish_all([end(read, RunState.SUCCEEDED, now=after(2))])
    stored = stores.stored(read)

    assert stored.cancel_requested
    assert stored.lease == lease_factory(fence=1, expires_at=after(90))


def test_a_worker_that_lost_its_lease_records_nothing(stores: Stores) -> None:
    """The one that took over does (R6)."""
    first = held(stores)
    second = taken_over(stores, first)

    assert stores.runs.finish_all([end(first, RunState.SUCCEEDED, now=after(70))]) == [False]
    assert second == stores.stored(first)
    assert stores.runs.finish_all([end(second, RunState.FAILED, now=after(80))]) == [True]
    assert stores.stored(first).state is RunState.FAILED


def test_an_end_whose_answer_was_lost_is_still_ours(stores: Stores) -> None:
    """Repeating it says so; another end under the same fence changes nothing."""
    read = held(stores)
    ended = end(read, RunState.SUCCEEDED, now=after(2))
    other = end(read, RunState.FAILED, now=after(2))

    assert stores.runs.finish_all([ended]) == [True]
    assert stores.runs.finish_all([ended, other]) == [True, False]
    assert stores.stored(read).state is RunState.SUCCEEDED


def test_ends_are_decided_one_by_one(stores: Stores) -> None:
    """In the order asked, whether others follow them up or not."""
    attempts = [
        attempt_factory(id=attempt_id(job=job_id(str(n))), final=n % 3 == 0) for n in range(30)
    ]
    stores.runs.insert_all(attempts)
    stores.runs.claim_all([claim(each) for each in attempts])
    read = [stores.stored(each) for each in attempts]
    lost = {4, 6, 29}
    for number in lost:
        taken_over(stores, read[number])
    ended = [end(each, RunState.SUCCEEDED, now=after(2)) for each in read]

    assert stores.runs.finish_all(ended) == [n not in lost for n in range(30)]
    assert stores.runs.finish_all([]) == []


def test_an_end_creates_nothing(stores: Stores) -> None:
    """A missing attempt was never leased."""
    ghost = running()

    assert stores.runs.finish_all([end(ghost, RunState.SUCCEEDED, now=after(2))]) == [False]
    assert not stores.exists(ghost)
