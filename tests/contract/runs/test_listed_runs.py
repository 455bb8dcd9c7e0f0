"""``ListedRunStore``: runs in every state of jobs that list them, found by key."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from tests.contract.conftest import NewStores
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
from tests.support.stores.contract_stores import Stores
from tests.support.stores.recorder import recorded
from timegate.adapters.dynamo.runs.items.index_items import LISTED_PARTS, listed_fields
from timegate.adapters.page_cursor import write_cursor
from timegate.domain.jobs.retry import Failure, FailureKind, RetryPolicy
from timegate.domain.runs.conclusion import end, fail
from timegate.domain.runs.run import Attempt, Reason, RunState
from timegate.domain.values.errors import InvalidInput
from timegate.domain.values.identity import AttemptId
from timegate.domain.values.instant_range import EVER, InstantRange
from timegate.domain.values.tenant import TenantId
from timegate.ports.stores import AttemptRef

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

#: Enough runs for each partition to have some.
_MANY = 8 * LISTED_PARTS


def listed(
    stores: Stores, within: InstantRange = EVER, *, tenant: TenantId = TENANT, limit: int = 50
) -> list[AttemptId]:
    """Every attempt of an instant within, page by page."""
    found: list[AttemptId] = []
    cursor = None
    while True:
        page = stores.listed_runs.list_listed(tenant, within=within, limit=limit, cursor=cursor)
        assert len(page.rows) <= limit
        assert {each.tenant for each in page.rows} <= {tenant}
        found += [each.id for each in page.rows]
        cursor = page.cursor
        if cursor is None:
            return found


def due(seconds: float, **fields: object) -> Attempt:
    """A run of its own, of an instant so many seconds after ``NOW``, whose job lists it."""
    own = {
        "id": attempt_id(job=job_id(f"job {seconds}"), scheduled_at=after(seconds)),
        "listed": True,
    }
    return attempt_factory(due_at=after(seconds), **{**own, **fields})


def ids(attempts: Sequence[Attempt]) -> list[AttemptId]:
    """Their ids, the latest first."""
    return [each.id for each in reversed(attempts)]


def test_a_run_of_a_job_that_lists_failures_alone_is_not_there(stores: Stores) -> None:
    """Its item has no attribute of the index: such a run costs no index write."""
    run = stores.add(due(1, listed=False))

    assert listed(stores) == []
    assert listed_fields(run) == {}


def test_a_run_stays_where_it_is_whatever_becomes_of_it(stores: Stores) -> None:
    """Claimed, put off, ended or redriven: its entry never moves, and costs no further write."""
    waiting = stores.add(due(1))
    before = listed(stores)
    held = replace(running(waiting), due_at=after(99))
    stores.runs.replace(waiting, held)
    during = listed(stores)
    stores.runs.finish_all([end(held, RunState.SUCCEEDED, now=after(100))])

    assert before == during == listed(stores) == [waiting.id]
    assert listed_fields(waiting) == listed_fields(stores.stored(waiting)) != {}


def test_a_retry_is_listed_as_its_run_is(stores: Stores) -> None:
    """Under the instant of the run, whenever it is due."""
    held = stores.add(running(due(1)))
    failure = Failure(kind=FailureKind.RETRYABLE, code="http_500", type="HttpStatus", message="no")
    concluded = fail(held, failure, RetryPolicy(max_attempts=2), started_at=NOW, now=after(2))
    retry = concluded.retry
    assert retry is not None
    stores.runs.finish_and_retry(concluded.ended, retry)

    assert concluded.ended.reason is Reason.RETRIED
    assert listed(stores) == [retry.id, held.id]


@pytest.mark.parametrize("limit", [1, 3, _MANY - 1, _MANY, _MANY + 1])
def test_they_are_listed_latest_instant_first_across_all_partitions(
    stores: Stores, limit: int
) -> None:
    """In pages of any size; no run is shown twice or left out."""
    attempts = [stores.add(due(number)) for number in range(_MANY)]

    assert len({listed_fields(each)["listed_part"] for each in attempts}) == LISTED_PARTS
    assert listed(stores, limit=limit) == ids(attempts)


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
def test_a_range_is_of_their_instants_and_includes_both_bounds(
    stores: Stores, within: InstantRange, expected: list[int]
) -> None:
    """Whenever they are due or ended; in pages as well."""
    attempts = [stores.add(due(number)) for number in range(5)]
    found = [attempts[number].id for number in expected]

    assert listed(stores, within) == found
    assert listed(stores, within, limit=1) == found


def test_a_tenant_sees_its_own(stores: Stores) -> None:
    """Also where another one's job has the same id, or its name begins alike (S1)."""
    mine = stores.add(due(1))
    theirs = stores.add(due(1, tenant=OTHER_TENANT))
    stores.add(due(2, tenant=TenantId(f"{TENANT}x")))

    assert listed(stores) == [mine.id]
    assert listed(stores, tenant=OTHER_TENANT) == [theirs.id]


def test_a_listing_goes_on_after_any_attempt(stores: Stores) -> None:
    """A filter stops in the middle of what was read, and newer runs come meanwhile."""
    attempts = [stores.add(due(number)) for number in range(4)]
    last = AttemptRef(tenant=TENANT, id=attempts[2].id)
    cursor = stores.listed_runs.cursor_after(last)
    stores.add(due(9))
    page = stores.listed_runs.list_listed(TENANT, within=EVER, limit=9, cursor=cursor)

    assert [each.id for each in page.rows] == ids(attempts[:2])


@pytest.mark.parametrize("cursor", ["", "x", write_cursor("failures#acme", "20261121")])
def test_a_cursor_of_nothing_is_refused(stores: Stores, cursor: str) -> None:
    """Also that of another listing."""
    with pytest.raises(InvalidInput):
        stores.listed_runs.list_listed(TENANT, within=EVER, limit=2, cursor=cursor)


@pytest.mark.parametrize(("count", "limit"), [(1, 100), (60, 100), (99, 50)])
def test_a_page_is_a_query_for_each_partition(
    new_dynamo_stores: NewStores, dynamodb: "DynamoDBClient", count: int, limit: int
) -> None:
    """However many runs there are."""
    stores = new_dynamo_stores()
    stores.runs.insert_all([due(number) for number in range(count)])
    with recorded(dynamodb) as calls:
        page = stores.listed_runs.list_listed(TENANT, within=EVER, limit=limit, cursor=None)

    assert len(page.rows) == min(count, limit)
    assert calls == {"Query": LISTED_PARTS}
