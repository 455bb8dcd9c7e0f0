"""``RunStore``: runs that others triggered lie among their job's runs, each in its own place."""

from dataclasses import replace

from tests.support.execution.chaining import then
from tests.support.execution.telling import hook
from tests.support.factories import (
    JOB_ID,
    TENANT,
    after,
    attempt_factory,
    attempt_id,
    job_factory,
    job_id,
)
from tests.support.stores.contract_stores import Stores
from timegate.domain.execution.follow_ups import parent_of, triggered
from timegate.domain.execution.notices import notices
from timegate.domain.jobs.follow_up import FollowUp, Given
from timegate.domain.jobs.notification import Occasion
from timegate.domain.runs.run import Attempt, RunState
from timegate.domain.values.errors import RunNotFound
from timegate.domain.values.payload import Payload

SELF = replace(then("x", payload=Given.PARENT), job_id=JOB_ID)
JOB = job_factory(notifications=(hook(Occasion.FAILED),))


def follower(name: str, follow_up: FollowUp = SELF, number: int = 1) -> Attempt:
    """A run of the tests' job, triggered by a run of another that ended half a minute from now."""
    before = job_factory(job_id=job_id(name), payload=Payload(inline='"p"', size_bytes=3))
    ended = attempt_factory(
        id=attempt_id(number, job=before.job_id), state=RunState.SUCCEEDED, ended_at=after(30)
    )
    parent = parent_of(follow_up, before, ended, Occasion.SUCCEEDED)
    return triggered(follow_up, JOB.timing, parent, ended_at=after(30), now=after(30))


def test_a_triggered_run_is_read_back(stores: Stores) -> None:
    """With its parent and what it was given; stored once, however often it is made."""
    run = follower("a")
    assert stores.runs.insert_all([run]) == [True]

    assert stores.runs.insert_all([follower("a")]) == [False]
    assert stores.runs.attempts(TENANT, run.id.run) == (run,)


def test_two_of_one_instant_are_two_runs(stores: Stores) -> None:
    """Two parents, or two attempts at one, that ended together; each page has each once."""
    runs = [follower("a"), follower("b"), follower("b", number=2)]
    assert stores.runs.insert_all(runs) == [True] * 3
    stores.add(attempt_factory(due_at=after(30)))
    stores.add(attempt_factory(due_at=after(60)))
    shown, cursor = [], None
    for _ in range(5):
        page = stores.runs.list_runs(TENANT, JOB_ID, limit=1, cursor=cursor)
        shown += [row.id for row in page.rows]
        cursor = page.cursor

    assert {*shown} == {
        *(run.id for run in runs),
        *(attempt_id(scheduled_at=after(n)) for n in (30, 60)),
    }
    assert (len(shown), cursor) == (5, None)


def test_no_ledger_shows_them(stores: Stores) -> None:
    """No schedule named them."""
    stores.runs.insert_all([follower("a")])
    named = stores.add(attempt_factory(due_at=after(30)))
    span = {"start": after(0), "end": after(60)}
    for latest_first in (False, True):
        found = stores.runs.history(TENANT, JOB_ID, limit=9, latest_first=latest_first, **span)

        assert [row.id for row in found] == [named.id]


def test_what_tells_of_one_does_not_tell_of_another(stores: Stores) -> None:
    """Both runs have the same instant."""
    first, second = follower("a"), follower("b")
    made = [*notices(JOB, first, Occasion.FAILED, at=after(31), now=after(31))]
    made += notices(JOB, second, Occasion.FAILED, at=after(31), now=after(31))
    stores.runs.insert_all([first, second, *made])

    assert [each.id for each in stores.runs.notices(TENANT, first.id.run)] == [made[0].id]
    assert [each.id for each in stores.runs.notices(TENANT, second.id.run)] == [made[1].id]


def test_one_that_was_not_triggered_is_not_found(stores: Stores) -> None:
    """By the id that it would have."""
    stores.runs.insert_all([follower("a")])
    missing = follower("b").id.run
    try:
        found = stores.runs.attempts(TENANT, missing)
    except RunNotFound:
        found = ()

    assert found == ()
