"""Many at once: threads that want the same thing, of which one gets it."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import pytest

from tests.support.factories import (
    NOW,
    TENANT,
    after,
    attempt_factory,
    attempt_id,
    job_factory,
    job_id,
    lease_factory,
    running,
)
from tests.support.stores.contract_stores import Stores, race
from timegate.domain.planning.plan import Plan
from timegate.domain.runs.conclusion import end, next_attempt
from timegate.domain.runs.run import Attempt, Reason, RunState
from timegate.domain.values.errors import JobChanged, LeaseLost, Throttled
from timegate.domain.values.identity import JobId
from timegate.ports.dispatch.cursors import Watcher
from timegate.ports.runs.claims import LeaseClaim
from timegate.ports.runs.held_leases import RetryWritten
from timegate.ports.stores import Advance

#: Each race is run so often: one that is lost to chance is lost some time.
ROUNDS = range(8)
CONTENDERS = range(6)

Taken = Callable[[], bool]


def attempt_of(number: int) -> Attempt:
    """The attempt of one round."""
    return attempt_factory(id=attempt_id(job=job_id(str(number))))


def claiming(stores: Stores, read: Attempt, worker: int) -> Taken:
    lease = lease_factory(owner=f"worker-{worker}", fence=read.fence + 1, expires_at=after(120))
    claim = LeaseClaim(attempt=read, job_version=1, lease=lease)
    return lambda: stores.runs.claim_all([claim])[0]


@pytest.mark.parametrize("number", ROUNDS)
def test_one_claim_wins(stores: Stores, number: int) -> None:
    """However many workers received the message: one lease, of the one that was told so (R5)."""
    read = stores.add(attempt_of(number))
    won = race(*(claiming(stores, read, worker) for worker in CONTENDERS))
    stored = stores.stored(read)

    assert won.count(True) == 1
    assert stored.fence == 1
    assert stored.lease is not None
    assert stored.lease.owner == f"worker-{won.index(True)}"


@pytest.mark.parametrize("number", ROUNDS)
def test_one_take_over_wins(stores: Stores, number: int) -> None:
    """An expired lease is taken over once."""
    read = stores.add(running(attempt_of(number)))
    won = race(*(claiming(stores, read, worker) for worker in CONTENDERS))

    assert won.count(True) == 1
    assert stores.stored(read).fence == 2


@pytest.mark.parametrize("number", ROUNDS)
def test_a_heartbeat_and_a_take_over_do_not_both_win(stores: Stores, number: int) -> None:
    """Either the lease lives on or it has passed, and both hear which."""
    read = stores.add(running(attempt_of(number)))

    def heartbeat() -> bool:
        try:
            stores.runs.extend(read, expires_at=after(90))
        except LeaseLost:
            return False
        return True

    kept, taken = race(heartbeat, claiming(stores, read, 2))

    assert kept != taken
    assert stores.stored(read).fence == (2 if taken else 1)


@pytest.mark.parametrize("number", ROUNDS)
def test_an_end_and_a_rescue_do_not_both_win(stores: Stores, number: int) -> None:
    """A run that ends while the sweeper queues it again is done or is tried again, never both."""
    read = stores.add(running(attempt_of(number)))
    ended = end(read, RunState.SUCCEEDED, now=after(70))
    rescued = replace(read, state=RunState.QUEUED, lease=None)
    done, queued = race(
        lambda: stores.runs.finish_all([ended])[0], lambda: stores.runs.replace(read, rescued)
    )

    assert done != queued
    assert stores.stored(read).state is (RunState.SUCCEEDED if done else RunState.QUEUED)


@pytest.mark.parametrize("number", ROUNDS)
def test_two_ends_with_a_retry_create_one(stores: Stores, number: int) -> None:
    """The worker and the sweeper that times it out: one of them decides."""
    read = stores.add(running(attempt_of(number)))
    ends = [
        end(read, RunState.FAILED, now=after(2), reason=Reason.RETRIED),
        end(read, RunState.TIMED_OUT, now=after(40), reason=Reason.RETRIED),
    ]
    retries = [next_attempt(read, after(5), after(2)), next_attempt(read, after(45), after(40))]
    won = race(
        *(
            partial(stores.runs.finish_and_retry, ended, retry)
            for ended, retry in zip(ends, retries, strict=True)
        )
    )

    assert sorted(won, key=str) == [RetryWritten.DONE, RetryWritten.LEASE_LOST]
    assert stores.stored(read) == ends[won.index(RetryWritten.DONE)]
    assert stores.stored(retries[0]) == retries[won.index(RetryWritten.DONE)]


@pytest.mark.parametrize("number", ROUNDS)
def test_a_cancel_and_a_retry_do_not_both_win(stores: Stores, number: int) -> None:
    """A caller finds the retry, to cancel that, or else there is none (R10)."""
    read = stores.add(running(attempt_of(number)))
    ended = end(read, RunState.FAILED, now=after(2), reason=Reason.RETRIED)
    retry = next_attempt(read, after(5), after(2))
    asked, written = race(
        lambda: stores.runs.replace(read, replace(read, cancel_requested=True)),
        lambda: decided(stores, ended, retry),
    )

    assert written is (RetryWritten.CALLED_OFF if asked else RetryWritten.DONE)
    assert stores.exists(retry) is not asked


def decided(stores: Stores, ended: Attempt, retry: Attempt) -> RetryWritten:
    """Return the outcome of an end with a retry; a conflict of two writes decides nothing."""
    while True:
        try:
            return stores.runs.finish_and_retry(ended, retry)
        except Throttled:
            continue


@pytest.mark.parametrize("number", ROUNDS)
def test_one_planner_stores_a_run(stores: Stores, number: int) -> None:
    """Racing planners compute the same id and meet each other's record (R2)."""
    attempt = attempt_of(number)
    insert = partial(stores.runs.insert_all, [attempt])

    assert race(*(insert for _ in CONTENDERS)).count([True]) == 1


@pytest.mark.parametrize("number", ROUNDS)
def test_one_planner_advances_a_job(stores: Stores, number: int) -> None:
    """The count of planned runs grows by one step, not by two."""
    job = stores.add_job(job_id=job_id(str(number)))
    plan = Plan(attempts=(), next_run_at=after(60), runs_planned=1)
    advance = partial(stores.runs.plan_all, [Advance(timing=job.timing, plan=plan, at=NOW)])

    assert race(*(advance for _ in CONTENDERS)).count([()]) == 1
    assert stores.jobs.get(TENANT, job.job_id).timing.runs_planned == 1


@pytest.mark.parametrize("number", ROUNDS)
def test_one_of_many_creations_is_stored(stores: Stores, number: int) -> None:
    """Every caller is answered with the same job (J5)."""
    created = race(
        *(
            partial(stores.jobs.create, job_factory(job_id=job_id(str(number)), name=f"{each}"))
            for each in CONTENDERS
        )
    )

    assert {job.name for job in created} == {stores.jobs.get(TENANT, job_id(str(number))).name}


def updating(stores: Stores, each: JobId, name: str) -> Taken:
    def update() -> bool:
        before = job_factory(job_id=each)
        try:
            stores.jobs.update(before, job_factory(job_id=each, version=2, name=name))
        except JobChanged:
            return False
        return True

    return update


@pytest.mark.parametrize("number", ROUNDS)
def test_one_update_of_a_version_wins(stores: Stores, number: int) -> None:
    """The others hear that the job changed, and overwrite nothing."""
    job = stores.add_job(job_id=job_id(str(number)))
    won = race(*(updating(stores, job.job_id, f"edit {each}") for each in CONTENDERS))

    assert won.count(True) == 1
    assert stores.jobs.get(TENANT, job.job_id).name == f"edit {won.index(True)}"


@pytest.mark.parametrize("number", ROUNDS)
def test_an_update_and_an_advance_do_not_both_win(stores: Stores, number: int) -> None:
    """Neither the edit nor the count of planned runs is lost."""
    job = stores.add_job(job_id=job_id(str(number)))
    plan = Plan(attempts=(), next_run_at=after(60), runs_planned=1)
    advance = Advance(timing=job.timing, plan=plan, at=NOW)
    edited, moved = race(
        updating(stores, job.job_id, "edited"),
        lambda: stores.runs.plan_all([advance])[0] is not None,
    )
    stored = stores.jobs.get(TENANT, job.job_id)

    assert edited != moved
    assert (stored.name == "edited", stored.timing.runs_planned) == (edited, int(moved))


@pytest.mark.parametrize("number", ROUNDS)
def test_one_watcher_gets_a_shard(stores: Stores, number: int) -> None:
    """The others go home: a shard is planned once per tick."""
    leases = race(
        *(
            partial(
                stores.cursors.acquire,
                Watcher.PLANNER,
                number,
                owner=f"planner-{each}",
                now=NOW,
                until=after(55),
            )
            for each in CONTENDERS
        )
    )

    assert sum(lease is not None for lease in leases) == 1
