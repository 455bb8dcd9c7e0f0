"""The stores under contract, and contests between those who use them."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import TYPE_CHECKING, TypeVar

from tests.support.execution.placing import placed
from tests.support.factories import JOB_ID, NOW
from tests.support.stores.stores_on import Stores, stores_on
from tests.support.stores.table_descriptions import jobs_table, runs_table
from timegate.adapters.dynamo.tables.boto_engine import BotoEngine
from timegate.adapters.memory.engine import MemoryEngine
from timegate.domain.values.instants import minute_of

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

__all__ = ["Stores"]

Outcome = TypeVar("Outcome")

SHARDS = 4
#: Where the tests' job waits, and the bucket of the instant at which tests begin.
SHARD = placed(SHARDS).shard_of(JOB_ID)
MINUTE = minute_of(NOW)


def memory_stores() -> Stores:
    """The stores over tables in memory."""
    return stores_on(MemoryEngine(), jobs="jobs", runs="runs", shards=lambda: placed(SHARDS))


def dynamo_stores(client: "DynamoDBClient", name: str, *, shards: int = SHARDS) -> Stores:
    """The stores over two new tables."""
    jobs, runs = f"jobs-{name}", f"runs-{name}"
    client.create_table(**jobs_table(jobs))
    client.create_table(**runs_table(runs))
    return stores_on(BotoEngine(client), jobs=jobs, runs=runs, shards=lambda: placed(shards))


def race(*contenders: Callable[[], Outcome]) -> list[Outcome]:
    """Let each do its part at the same moment, on a thread of its own; their outcomes."""
    barrier = Barrier(len(contenders))

    def run(contender: Callable[[], Outcome]) -> Outcome:
        barrier.wait()
        return contender()

    with ThreadPoolExecutor(len(contenders)) as pool:
        return list(pool.map(run, contenders))
