"""Dead letters cost a known number of calls, counted on the adapters' own client."""

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from tests.contract.conftest import NewStores
from tests.contract.operations.test_dead_letters import opening, settled
from tests.support.factories import TENANT, after, running
from tests.support.operations.burying import dead_factory
from tests.support.stores.recorder import recorded
from timegate.adapters.dynamo.runs.items.index_items import FAILURE_PARTS
from timegate.domain.operations.dead_letter import DeadLetterFilter
from timegate.domain.runs.conclusion import end
from timegate.domain.runs.run import Reason, RunState
from timegate.domain.values.instant_range import EVER

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient


def test_an_end_is_one_call_whether_or_not_it_makes_a_dead_letter(
    new_dynamo_stores: NewStores, dynamodb: "DynamoDBClient"
) -> None:
    """The entries are a part of it."""
    stores = new_dynamo_stores()
    held = stores.add(running())
    dead = end(held, RunState.DEAD_LETTERED, now=after(1), reason=Reason.RETRIES_EXHAUSTED)
    with recorded(dynamodb) as calls:
        stores.runs.finish_all([dead])

    assert calls == {"BatchExecuteStatement": 1}


@pytest.mark.parametrize("count", [1, 60, 150])
def test_a_listing_is_a_query_and_a_read_per_hundred(
    new_dynamo_stores: NewStores, dynamodb: "DynamoDBClient", count: int
) -> None:
    """However many runs there are that were not given up."""
    stores = new_dynamo_stores()
    stores.runs.insert_all([dead_factory(number) for number in range(count)])
    with recorded(dynamodb) as calls:
        page = stores.dead_letters.list_dead_letters(
            TENANT, DeadLetterFilter(), limit=100, cursor=None
        )

    assert len(page.rows) == min(count, 100)
    assert calls == {"Query": 1, "BatchGetItem": 1}


@pytest.mark.parametrize(
    ("opens", "call"), [(True, "TransactWriteItems"), (False, "UpdateItem")], ids=str
)
def test_one_is_settled_by_one_call(
    new_dynamo_stores: NewStores, dynamodb: "DynamoDBClient", call: str, *, opens: bool
) -> None:
    """With the attempt that goes on, or without."""
    stores = new_dynamo_stores()
    dead = stores.add(dead_factory())
    with recorded(dynamodb) as calls:
        stores.dead_letters.settle(dead, settled(dead), opened=opening(dead) if opens else None)

    assert calls == {call: 1}


def test_an_edit_is_one_call(new_dynamo_stores: NewStores, dynamodb: "DynamoDBClient") -> None:
    """Also where it keeps the definition that it replaces."""
    stores = new_dynamo_stores()
    job = stores.add_job()
    renamed = replace(job, name="renamed", timing=replace(job.timing, version=2))
    with recorded(dynamodb) as calls:
        stores.jobs.update(job, renamed)
    moved = replace(renamed, timing=replace(renamed.timing, version=3))
    with recorded(dynamodb) as others:
        stores.jobs.update(renamed, moved)

    assert (calls, others) == ({"TransactWriteItems": 1}, {"PutItem": 1})


@pytest.mark.parametrize("count", [1, 60, 99])
def test_a_listing_of_failures_is_a_query_for_each_partition(
    new_dynamo_stores: NewStores, dynamodb: "DynamoDBClient", count: int
) -> None:
    """However many runs failed, as long as they fit in a page."""
    stores = new_dynamo_stores()
    stores.runs.insert_all([dead_factory(number) for number in range(count)])
    with recorded(dynamodb) as calls:
        page = stores.failures.list_failures(TENANT, within=EVER, limit=100, cursor=None)

    assert len(page.rows) == count
    assert calls == {"Query": FAILURE_PARTS}
