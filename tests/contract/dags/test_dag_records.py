"""A DAG's record has a cost, may be damaged, and reaches its index late."""

from typing import TYPE_CHECKING

import pytest

from tests.contract.conftest import NewStores
from tests.contract.dags.test_dags import FULL, LARGE, named, next_version
from tests.support.factories import TENANT
from tests.support.stores.corrupt_record import write
from tests.support.stores.recorder import recorded
from tests.unit.domain.dags.definitions import dag, task
from timegate.adapters.dynamo.dags.dag_graph import graph_to_text
from timegate.adapters.dynamo.dags.dag_items import dag_key, listing_key
from timegate.adapters.dynamo.dags.dag_store import DynamoDagStore
from timegate.adapters.dynamo.jobs.job_store import DynamoJobStore
from timegate.adapters.dynamo.runs.run_store import DynamoRunStore
from timegate.adapters.dynamo.tables.boto_engine import BotoEngine
from timegate.adapters.memory.blob_store import MemoryBlobStore
from timegate.domain.dags.definition import DagStatus
from timegate.domain.dags.limits import MAX_INLINE_BYTES
from timegate.domain.values.errors import Malformed
from timegate.ports.dags import DagRow

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient


def test_making_and_changing_a_dag_is_one_transaction_each(
    new_dynamo_stores: NewStores, dynamodb: "DynamoDBClient"
) -> None:
    """It is counted with it. Reading it, or one of its versions, is one read."""
    stores = new_dynamo_stores()
    # The first creation of a tenant allots its quota.
    stores.dags.create(named(1))
    with recorded(dynamodb) as calls:
        stores.dags.create(FULL)
        stores.dags.update(FULL, next_version(FULL))
        stores.dags.get(TENANT, FULL.dag_id)
        stores.dags.version(TENANT, FULL.dag_id, 1)

    assert calls == {"TransactWriteItems": 2, "BatchGetItem": 2}


def test_an_unreadable_dag_hides_no_other(new_dynamo_stores: NewStores) -> None:
    """It is named, and a caller that asks for it hears that it is malformed."""
    stores = new_dynamo_stores()
    one, two = stores.dags.create(named(1)), stores.dags.create(LARGE)
    write(stores, dag_key(TENANT, one.dag_id), one.dag_id, "status", "x")
    page = stores.dags.list_dags(TENANT, DagStatus.ACTIVE, limit=9, cursor=None)

    assert (page.rows, page.damaged) == ((DagRow.of(two),), (one.dag_id,))
    with pytest.raises(Malformed):
        stores.dags.get(TENANT, one.dag_id)


@pytest.mark.parametrize(("beyond", "blobs"), [(0, 0), (1, 1)], ids=["at-the-limit", "beyond"])
def test_a_graph_up_to_the_limit_rides_in_its_item(
    dynamodb: "DynamoDBClient", new_dynamo_stores: NewStores, beyond: int, blobs: int
) -> None:
    """The next byte goes to the blob store, once however often it is written."""
    stores = new_dynamo_stores()
    jobs, runs = stores.jobs, stores.runs
    assert isinstance(jobs, DynamoJobStore)
    assert isinstance(runs, DynamoRunStore)
    lake = MemoryBlobStore()
    store = DynamoDagStore(BotoEngine(dynamodb), table=jobs._table, blobs=lake, runs=runs)
    rest = MAX_INLINE_BYTES - len(graph_to_text(dag((task("a", name="x"),)))) + 1
    sized = dag((task("a", name="x" * (rest + beyond)),))
    store.create(sized)
    store.update(sized, next_version(sized, name="other"))

    assert len(lake.blobs) == blobs
    assert store.version(TENANT, sized.dag_id, 1) == sized


def test_an_index_that_is_late_shows_no_dag_in_two_lists(
    new_dynamo_stores: NewStores, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It still names what was deleted just now; the item knows better."""
    store = new_dynamo_stores().dags
    assert isinstance(store, DynamoDagStore)
    store.create(FULL)
    late = store._listed(TENANT, listing_key(TENANT, DagStatus.ACTIVE), 9, None)
    store.update(FULL, next_version(FULL, status=DagStatus.DELETED))
    monkeypatch.setattr(store, "_listed", lambda *_: late)

    assert store.list_dags(TENANT, DagStatus.ACTIVE, limit=9, cursor=None).rows == ()
