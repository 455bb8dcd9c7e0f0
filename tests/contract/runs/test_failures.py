"""``FailureStore``: runs that were to happen and did not succeed, found by key."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from tests.contract.operations.test_dead_letters import opening, settled
from tests.support.factories import (
    NOW,
    OTHER_TENANT,
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
from timegate.adapters.page_cursor import write_cursor
from timegate.domain.runs.conclusion import end
from timegate.domain.runs.resolution import Settled
from timegate.domain.runs.run import Attempt, Reason, RunState
from timegate.domain.runs.run_states import AS_ASKED
from timegate.domain.values.errors import InvalidInput
from timegate.domain.values.identity import AttemptId
from timegate.domain.values.instant_range import EVER, InstantRange
from timegate.domain.values.tenant import TenantId

#: Enough runs for each partition to have some.
_MANY = 5 * FAILURE_PARTS


def listed(
    stores: Stores,
    within: InstantRange = EVER,
    *,
    tenant: TenantId = TENANT,
    limit: int = 50,
) -> list[AttemptId]:
    """Every failure that ended within, page by page."""
    found: list[AttemptId] = []
    cursor = None
    while True:
        page = stores.failures.list_failures(tenant, within=within, limit=limit, cursor=cursor)
        assert len(page.rows) <= limit
        assert {each.tenant for each in page.rows} <= {tenant}
        found += [each.id for each in page.rows]
        cursor = page.cursor
        if cursor is None:
            return found


def failed(seconds: float, **fields: object) -> Attempt:
    """A run of its own that failed so many seconds after ``NOW``."""
    ended = {"state": RunState.FAILED, "reason": Reason.PERMANENT, "watch_at": None}
    return dead_factory(seconds, **{**ended, **fields})


def ids(attempts: Sequence[Attempt]) -> list[AttemptId]:
    """Their ids, the latest first."""
    return [each.id for each in reversed(attempts)]


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


@pytest.mark.parametrize("limit", [1, 3, _MANY - 1, _MANY, _MANY + 1])
def test_they_are_listed_latest_end_first_across_all_partitions(stores: Stores, limit: int) -> None:
    """In pages of any size; no run is shown twice or left out."""
    attempts = [stores.add(failed(number)) for number in range(_MANY)]

    assert len({failure_fields(each)["failure_part"] for each in attempts}) == FAILURE_PARTS
    assert listed(stores, limit=limit) == ids(attempts)


def test_ends_of_one_instant_are_each_listed_once(stores: Stores) -> None:
    """Also where a page ends among them."""
    attempts = [
        stores.add(failed(number, ended_at=NOW, started_at=None)) for number in range(_MANY)
    ]

    for limit in (1, 2, 7):
        found = listed(stores, limit=limit)
        assert len(found) == _MANY
        assert set(found) == {each.id for each in attempts}


@pytest.mark.parametrize(
    ("within", "expected"),
    [
        (InstantRange(start=after(1), end=after(3)), [3, 2, 1]),
        (InstantRange(start=after(1.001), end=after(2.999)), [2]),
        (InstantRange(start=after(5), end=None), []),
        (InstantRange(start=None, end=after(0)), [0]),
    ],
    ids=str,
)
def test_a_range_is_of_their_ends_and_includes_both_bounds(
    stores: Stores, within: InstantRange, expected: list[int]
) -> None:
    """Whatever the instants of the runs; in pages as well."""
    attempts = [stores.add(failed(number)) for number in range(5)]
    found = [attempts[number].id for number in expected]

    assert listed(stores, within) == found
    assert listed(stores, within, limit=1) == found


def test_a_tenant_sees_its_own(stores: Stores) -> None:
    """Also where another one's job has the same id (S1)."""
    mine = stores.add(failed(1))
    theirs = stores.add(failed(1, tenant=OTHER_TENANT))
    longer = TenantId(f"{TENANT}x")
    stores.add(failed(2, tenant=longer))

    assert listed(stores) == [mine.id]
    assert listed(stores, tenant=OTHER_TENANT) == [theirs.id]


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


@pytest.mark.parametrize("cursor", ["", "x", write_cursor("jobs#acme", "20261121")])
def test_a_cursor_of_nothing_is_refused(stores: Stores, cursor: str) -> None:
    """Also that of another listing."""
    with pytest.raises(InvalidInput):
        stores.failures.list_failures(TENANT, within=EVER, limit=2, cursor=cursor)


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
