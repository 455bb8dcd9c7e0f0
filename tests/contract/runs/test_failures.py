"""``FailureStore``: runs that were to happen and did not succeed, found by key."""

from dataclasses import replace

import pytest

from tests.contract.operations.test_dead_letters import opening, settled
from tests.contract.runs.test_indexed_runs import FAILURES, failed, ids
from tests.support.factories import (
    NOW,
    TENANT,
    after,
    attempt_factory,
    attempt_id,
    job_id,
    running,
)
from tests.support.operations.burying import dead_factory, resolution_factory
from tests.support.stores.contract_stores import Stores
from timegate.adapters.dynamo.runs.items.index_items import FAILURE_PARTS, failure_fields
from timegate.domain.runs.conclusion import end
from timegate.domain.runs.resolution import Settled
from timegate.domain.runs.run import Reason, RunState
from timegate.domain.runs.run_states import AS_ASKED
from timegate.domain.values.instant_range import EVER

#: Enough runs for each partition to have some.
_MANY = 5 * FAILURE_PARTS

listed = FAILURES.listed


@pytest.mark.parametrize(
    ("state", "reason"),
    [
        (RunState.FAILED, Reason.PERMANENT),
        (RunState.TIMED_OUT, Reason.AT_MOST_ONCE),
        (RunState.CANCELLED, Reason.CANCEL_REQUESTED),
        (RunState.DEAD_LETTERED, Reason.RETRIES_EXHAUSTED),
    ],
    ids=str,
)
def test_the_write_that_ends_a_run_makes_it_a_failure(
    stores: Stores, state: RunState, reason: Reason
) -> None:
    """A worker ends it, or an operator replaces it; before, it is none."""
    held = stores.add(running())
    other = stores.add(running(attempt_factory(id=dead_factory(1).id)))
    before = listed(stores)
    stores.runs.finish_all([end(held, state, now=after(1), reason=reason)])
    stores.runs.replace(other, end(other, state, now=after(2), reason=reason))

    assert before == []
    assert listed(stores) == [other.id, held.id]


def test_success_is_no_failure(stores: Stores) -> None:
    """Its item has no attribute of the index: such a run costs no index write."""
    held = stores.add(running())
    succeeded = end(held, RunState.SUCCEEDED, now=after(1))
    stores.runs.finish_all([succeeded])

    assert listed(stores) == []
    assert failure_fields(succeeded) == {}


@pytest.mark.parametrize("reason", sorted(AS_ASKED))
def test_an_owners_own_rule_makes_no_failure(stores: Stores, reason: Reason) -> None:
    """A skipped run of a paused job was not to happen; a retried attempt has a follower."""
    state = RunState.FAILED if reason is Reason.RETRIED else RunState.SKIPPED
    stores.add(failed(1, state=state, reason=reason, lease=None, started_at=None))

    assert listed(stores) == []


@pytest.mark.parametrize("reason", [Reason.LATE, Reason.OVERLAP, Reason.QUOTA, Reason.EXPIRED])
def test_a_run_that_found_no_room_is_a_failure(stores: Stores, reason: Reason) -> None:
    """It was to happen, and never began."""
    run = stores.add(failed(1, state=RunState.SKIPPED, reason=reason, lease=None, started_at=None))

    assert listed(stores) == [run.id]


def test_ends_of_one_instant_are_each_listed_once(stores: Stores) -> None:
    """Also where a page ends among them."""
    attempts = [
        stores.add(failed(number, ended_at=NOW, started_at=None)) for number in range(_MANY)
    ]

    for limit in (1, 2, 7):
        found = listed(stores, limit=limit)
        assert len(found) == _MANY
        assert set(found) == {each.id for each in attempts}


def test_a_redrive_takes_it_out_and_a_discard_leaves_it(stores: Stores) -> None:
    """A discarded run stays as it ended; a redriven one goes on."""
    redriven, discarded = stores.add(dead_factory(1)), stores.add(dead_factory(2))
    for dead, how in ((redriven, Settled.REDRIVEN), (discarded, Settled.DISCARDED)):
        resolved = replace(dead, resolution=resolution_factory(settled=how, at=after(10)))
        assert stores.dead_letters.settle(dead, resolved, opened=None)

    assert listed(stores) == [discarded.id]


def test_a_page_goes_on_where_it_stopped_whatever_came_meanwhile(stores: Stores) -> None:
    """New ends are later than a cursor, and one that is gone leaves its place."""
    attempts = [stores.add(dead_factory(number)) for number in range(4)]
    first = stores.failures.list_failures(TENANT, within=EVER, limit=2, cursor=None)
    gone = replace(attempts[2], resolution=resolution_factory(settled=Settled.REDRIVEN))
    stores.dead_letters.settle(attempts[2], gone, opened=None)
    stores.add(failed(9, id=attempt_id(job=job_id("other"))))
    second = stores.failures.list_failures(TENANT, within=EVER, limit=2, cursor=first.cursor)

    assert [each.id for each in first.rows] == ids(attempts[2:])
    assert [each.id for each in second.rows] == ids(attempts[:2])


def test_of_two_redrives_of_a_failed_run_one_counts(stores: Stores) -> None:
    """No attribute of dead letters guards it: its state and the missing settlement do."""
    ended = stores.add(failed(1))
    opened = opening(ended)
    first, second = settled(ended, note="a"), settled(ended, note="b")

    assert stores.dead_letters.settle(ended, first, opened=opened)
    assert stores.dead_letters.settle(ended, first, opened=opened)
    assert not stores.dead_letters.settle(ended, second, opened=opened)
    assert stores.runs.attempts(TENANT, ended.id.run) == (first, opened)
    assert listed(stores) == []


def test_a_redrive_loses_against_a_backfill_that_was_first(stores: Stores) -> None:
    """Both write the next attempt: nothing is settled."""
    ended = stores.add(failed(1))
    stores.add(opening(ended))

    assert not stores.dead_letters.settle(ended, settled(ended), opened=opening(ended))
    assert stores.stored(ended) == ended
