"""``Census``: everything that waits, and moving it to another shard."""

from collections.abc import Mapping
from dataclasses import replace

import pytest

from tests.support.execution.placing import placed
from tests.support.factories import (
    JOB_ID,
    NOW,
    TENANT,
    after,
    attempt_factory,
    job_id,
    running,
)
from tests.support.stores.contract_stores import MINUTE, SHARD, Stores
from timegate.domain.runs.run import Attempt, RunState
from timegate.domain.values.instants import minute_of
from timegate.ports.dispatch.shards import Resident
from timegate.ports.stores import AttemptRef

#: The tests' job waits in another shard of so many.
FEWER = next(count for count in (3, 2, 1) if placed(count).shard_of(JOB_ID) != SHARD)
NEW_SHARD = placed(FEWER).shard_of(JOB_ID)
WAITING = attempt_factory(state=RunState.WAITING, due_at=after(3600), watch_at=after(3000))


def found(stores: Stores) -> Mapping[str, Resident]:
    """Return waiting records by their index, none of which shows two here."""
    residents = list(stores.census.residents())
    by_index = {each.index: each for each in residents}
    assert len(by_index) == len(residents)
    return by_index


def test_nothing_waits_at_first(stores: Stores) -> None:
    """And what has ended or has nothing left to fire does not."""
    stores.add_job(next_run_at=None)
    stores.add(attempt_factory(state=RunState.SUCCEEDED, watch_at=None, ended_at=NOW))

    assert found(stores) == {}


def test_everything_that_waits_is_found(stores: Stores) -> None:
    """Each is found with its place and its instant."""
    stores.add_job(next_run_at=after(90))
    stores.add(WAITING)
    waiting = found(stores)

    assert [
        (waiting[index].minute, waiting[index].shard, waiting[index].at)
        for index in ("due", "watch")
    ] == [
        (minute_of(after(90)), SHARD, after(90)),
        (minute_of(after(3000)), SHARD, after(3000)),
    ]


def test_many_are_found_page_by_page(stores: Stores) -> None:
    """Over all shards."""
    jobs = [stores.add_job(job_id=job_id(str(number))).job_id for number in range(60)]
    residents = list(stores.census.residents())

    assert len(residents) == len(jobs)
    assert {each.shard for each in residents} == {0, 1, 2, 3}


def test_a_job_is_moved_to_another_shard_and_nothing_else_of_it_changes(stores: Stores) -> None:
    """It waits for the same instant; replaying the move changes nothing."""
    job = stores.add_job()
    resident = found(stores)["due"]
    done = [stores.census.move(resident, placed(FEWER)) for _ in range(2)]

    assert done == [True, False]
    assert stores.due(MINUTE, SHARD) == []
    assert stores.due(MINUTE, NEW_SHARD) == [job.timing]
    assert stores.jobs.get(TENANT, JOB_ID) == job


def test_a_waiting_run_is_moved(stores: Stores) -> None:
    """It is looked at when it would have been."""
    stores.add(WAITING)
    done = [stores.census.move(found(stores)["watch"], placed(FEWER))]
    minute = minute_of(after(3000))

    assert done == [True]
    assert stores.overdue(minute, SHARD, until=after(9000)) == []
    assert stores.overdue(minute, NEW_SHARD, until=after(9000)) == [
        AttemptRef(tenant=TENANT, id=WAITING.id)
    ]
    assert stores.stored(WAITING) == WAITING


@pytest.mark.parametrize(
    "attempt",
    [pytest.param(attempt_factory(), id="queued"), pytest.param(running(), id="running")],
)
def test_a_run_that_was_published_is_left_where_it_is(stores: Stores, attempt: Attempt) -> None:
    """Its image in the stream would be published again."""
    stores.add(attempt)

    assert not stores.census.move(found(stores)["watch"], placed(FEWER))
    assert found(stores)["watch"].shard == SHARD


def test_what_moved_on_meanwhile_is_left_alone(stores: Stores) -> None:
    """A caller or a planner has written it, into the shard where it belongs."""
    job = stores.add_job()
    stores.add(WAITING)
    seen = found(stores)
    later = replace(job.timing, next_run_at=after(600), version=2)
    stores.jobs.update(job, replace(job, timing=later))
    stores.runs.replace(WAITING, replace(WAITING, watch_at=after(3600)))

    assert [stores.census.move(each, placed(FEWER)) for each in seen.values()] == [False, False]
    assert stores.due(minute_of(after(600)), SHARD) == [later]


def test_a_sweeper_that_read_a_run_before_its_move_still_decides(stores: Stores) -> None:
    """Its write puts the run where its own spread says, and no second run appears."""
    stores.add(WAITING)
    stores.census.move(found(stores)["watch"], placed(FEWER))
    again = replace(WAITING, watch_at=after(3300))

    assert stores.runs.replace(WAITING, again)
    assert stores.overdue(minute_of(after(3300)), SHARD, until=after(9000)) == [
        AttemptRef(tenant=TENANT, id=WAITING.id)
    ]
    assert stores.stored(again) == again


def test_a_planner_that_read_a_job_before_its_move_still_plans_it(stores: Stores) -> None:
    """Its condition is about the definition, which the move leaves as it is."""
    job = stores.add_job()
    stores.census.move(found(stores)["due"], placed(FEWER))
    later = replace(job.timing, next_run_at=after(600), version=2)
    stores.jobs.update(job, replace(job, timing=later))

    assert found(stores)["due"].shard == SHARD
