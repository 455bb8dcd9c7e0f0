"""``RunStore``: ends stay in the ``watch`` index until all that follows them is done."""

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from tests.contract.conftest import NewStores
from tests.support.factories import NOW, after, attempt_factory, attempt_id, job_id, running
from tests.support.stores.contract_stores import MINUTE, SHARD, Stores
from tests.support.stores.recorder import recorded
from timegate.domain.runs.conclusion import end
from timegate.domain.runs.resolution import Resolution, Settled
from timegate.domain.runs.run import Attempt, RunState
from timegate.ports.stores import AttemptRef

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

LATER = after(10_000)


def ended(stores: Stores, *, state: RunState = RunState.SUCCEEDED, final: bool = True) -> Attempt:
    """An attempt that ended at once, as its worker stored that."""
    read = stores.add(running(attempt_factory(final=final, watch_at=after(30))))
    done = end(read, state, now=NOW)
    assert stores.runs.finish_all([done]) == [True]
    return done


def watched(stores: Stores) -> list[object]:
    """Return the overdue attempts in the attempt's bucket, however late."""
    return list(stores.runs.overdue(MINUTE, SHARD, until=LATER))


@pytest.mark.parametrize("final", [True, False], ids=["completes its job", "nothing follows"])
def test_an_end_stays_in_the_index_if_something_follows(stores: Stores, *, final: bool) -> None:
    """It stays at its watch instant: the write that ends it is the only one."""
    done = ended(stores, final=final)

    assert watched(stores) == ([AttemptRef(tenant=done.tenant, id=done.id)] if final else [])
    assert stores.stored(done).watch_at == (after(30) if final else None)


def test_what_outcomes_has_followed_leaves_the_index(stores: Stores) -> None:
    """And nothing else of it changes, however often that is said."""
    done = ended(stores)
    before = stores.stored(done)
    for _ in range(2):
        stores.runs.unwatch_all([done])

    assert watched(stores) == []
    assert stores.stored(done) == replace(before, watch_at=None)


def test_an_attempt_at_work_is_not_taken_out(stores: Stores) -> None:
    """An outdated or invented image takes nothing out."""
    read = stores.add(running(attempt_factory(final=True, watch_at=after(30))))
    stores.runs.unwatch_all([end(read, RunState.SUCCEEDED, now=NOW)])

    assert stores.stored(read) == read
    assert watched(stores) == [AttemptRef(tenant=read.tenant, id=read.id)]


def test_the_sweeper_shows_an_end_again_and_changes_nothing_else(stores: Stores) -> None:
    """Its watch instant moves; a closing with an older image still takes place."""
    done = ended(stores)
    ref, until = AttemptRef(tenant=done.tenant, id=done.id), after(120)
    moved = stores.runs.put_off(ref, minute=MINUTE, shard=SHARD, until=until)
    shown = stores.stored(done)
    stores.runs.unwatch_all([done])

    assert moved
    assert shown == replace(done, watch_at=until, direct=True)
    assert stores.stored(done).watch_at is None


@pytest.mark.parametrize("followed", [False, True])
def test_settling_a_dead_letter_leaves_what_follows_its_end(
    stores: Stores, *, followed: bool
) -> None:
    """An early settlement takes nothing away, and a late one brings nothing back."""
    dead = ended(stores, state=RunState.DEAD_LETTERED)
    if followed:
        stores.runs.unwatch_all([dead])
    resolution = Resolution(settled=Settled.DISCARDED, by="ops", at=after(5))
    settled = replace(dead, resolution=resolution)

    assert stores.dead_letters.settle(dead, settled, opened=None)
    assert stores.stored(dead).watch_at == (None if followed else after(30))


def test_many_ends_are_stored_and_closed_by_a_call_each(
    dynamodb: "DynamoDBClient", new_dynamo_stores: NewStores
) -> None:
    """Twenty-five a call, though something follows them: one write unit each, and one for leaving
    the index.
    """
    stores = new_dynamo_stores()
    done = []
    for number in range(25):
        own = attempt_id(job=job_id(str(number)))
        read = stores.add(running(attempt_factory(id=own, final=True)))
        done.append(end(read, RunState.SUCCEEDED, now=NOW))
    with recorded(dynamodb) as ending:
        stores.runs.finish_all(done)
    with recorded(dynamodb) as calls:
        stores.runs.unwatch_all(done)

    assert ending == {"BatchExecuteStatement": 1}
    assert calls == {"BatchExecuteStatement": 1}
    assert [stores.stored(each).watch_at for each in done] == [None] * 25
