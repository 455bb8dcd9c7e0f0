"""``RunStore``: what tells of a run lies beside it, and before no run."""

from dataclasses import replace

from tests.support.execution.telling import LEDGER, hook
from tests.support.factories import (
    JOB_ID,
    OTHER_TENANT,
    TENANT,
    after,
    attempt_factory,
    attempt_id,
    job_factory,
    lease_factory,
    run_id,
)
from tests.support.stores.contract_stores import Stores
from timegate.domain.execution.notices import notices
from timegate.domain.jobs.notification import Occasion
from timegate.domain.runs.conclusion import end
from timegate.domain.runs.run import Attempt, RunState
from timegate.domain.values.identity import Origin
from timegate.ports.runs.claims import LeaseClaim

HOOKS = (hook(*Occasion), hook(Occasion.FAILED, url=LEDGER))
JOB = job_factory(notifications=HOOKS, late_after_seconds=5)


def told(stores: Stores, occasion: Occasion, attempt: Attempt) -> tuple[Attempt, ...]:
    """Store the notifications of an attempt."""
    made = notices(JOB, attempt, occasion, at=after(30), now=after(30))
    assert stores.runs.insert_all(made) == [True] * len(made)
    return made


def test_what_tells_of_a_run_is_found_beside_it(stores: Stores) -> None:
    """Notifications of all attempts are found with their last try, and no other run's."""
    first = stores.add(attempt_factory())
    (late,) = told(stores, Occasion.LATE, first)
    failed = told(stores, Occasion.FAILED, replace(first, id=first.id.next()))
    told(stores, Occasion.FAILED, attempt_factory(id=attempt_id(origin=Origin.TRIGGER)))
    told(stores, Occasion.FAILED, attempt_factory(due_at=after(60)))
    told(stores, Occasion.FAILED, attempt_factory(tenant=OTHER_TENANT))
    again = stores.add(replace(late, id=late.id.next()))

    assert {again.id, *(each.id for each in failed)} == {
        each.id for each in stores.runs.notices(TENANT, run_id())
    }
    assert (again,) == tuple(
        each for each in stores.runs.notices(TENANT, run_id()) if each.id == again.id
    )


def test_a_notice_is_inserted_once(stores: Stores) -> None:
    """A second insert meets it."""
    made = told(stores, Occasion.FAILED, attempt_factory())

    assert stores.runs.insert_all(made) == [False, False]


def test_no_list_of_runs_shows_what_tells_of_them(stores: Stores) -> None:
    """Neither pages nor history, whichever way they are read."""
    attempts = [stores.add(attempt_factory(due_at=after(60 * n))) for n in range(3)]
    for attempt in attempts:
        told(stores, Occasion.FAILED, attempt)
    first = stores.runs.list_runs(TENANT, JOB_ID, limit=2, cursor=None)
    second = stores.runs.list_runs(TENANT, JOB_ID, limit=2, cursor=first.cursor)
    span = {"start": after(0), "end": after(120)}
    ids = [attempt.id for attempt in attempts]

    assert [row.id for row in (*first.rows, *second.rows)] == ids[::-1]
    assert second.cursor is None
    for latest_first in (False, True):
        found = stores.runs.history(TENANT, JOB_ID, limit=9, latest_first=latest_first, **span)
        assert {row.id for row in found} == set(ids)


def test_a_notice_is_read_back_as_a_run(stores: Stores) -> None:
    """With what it says, and its job."""
    stores.jobs.create(JOB)
    (late,) = told(stores, Occasion.LATE, attempt_factory())

    assert stores.runs.attempts(TENANT, late.id.run) == (late,)
    assert stores.stored(late) == late


def test_a_claim_writes_down_what_is_to_be_heard(stores: Stores) -> None:
    """And the next one forgets occasions without a listener."""
    read = stores.add(attempt_factory())
    claim = LeaseClaim(
        attempt=read, job_version=1, lease=lease_factory(), notify=(Occasion.FAILED,)
    )
    assert stores.runs.claim_all([claim]) == [True]
    held = stores.stored(read)
    lease = lease_factory(owner="worker-2", fence=2, expires_at=after(120))
    assert stores.runs.claim_all([LeaseClaim(attempt=held, job_version=1, lease=lease)]) == [True]

    assert held.notify == (Occasion.FAILED,)
    assert stores.stored(read).notify == ()


def test_an_end_that_is_heard_of_keeps_what_is_to_be_heard(stores: Stores) -> None:
    """Its image tells outcomes."""
    read = stores.add(attempt_factory())
    claim = LeaseClaim(
        attempt=read, job_version=1, lease=lease_factory(), notify=(Occasion.FAILED,)
    )
    stores.runs.claim_all([claim])
    ended = end(stores.stored(read), RunState.FAILED, now=after(1))
    assert stores.runs.finish_all([ended]) == [True]

    assert stores.stored(read).heard_occasion is Occasion.FAILED
