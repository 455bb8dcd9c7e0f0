"""``ListedRunStore``: runs in every state of jobs that list them, found by key."""

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from tests.contract.conftest import NewStores
from tests.contract.runs.test_indexed_runs import LISTED, due, ids
from tests.support.factories import (
    NOW,
    TENANT,
    after,
    running,
)
from tests.support.stores.contract_stores import Stores
from tests.support.stores.recorder import recorded
from timegate.adapters.dynamo.runs.items.index_items import LISTED_PARTS, listed_fields
from timegate.domain.jobs.retry import Failure, FailureKind, RetryPolicy
from timegate.domain.runs.conclusion import end, fail
from timegate.domain.runs.run import Reason, RunState
from timegate.domain.values.instant_range import EVER
from timegate.ports.stores import AttemptRef

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

listed = LISTED.listed


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


def test_a_listing_goes_on_after_any_attempt(stores: Stores) -> None:
    """A filter stops in the middle of what was read, and newer runs come meanwhile."""
    attempts = [stores.add(due(number)) for number in range(4)]
    last = AttemptRef(tenant=TENANT, id=attempts[2].id)
    cursor = stores.listed_runs.cursor_after(last)
    stores.add(due(9))
    page = stores.listed_runs.list_listed(TENANT, within=EVER, limit=9, cursor=cursor)

    assert [each.id for each in page.rows] == ids(attempts[:2])


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
