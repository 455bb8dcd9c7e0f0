"""The stores under contract, and contests between those who use them."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import datetime, timedelta
from threading import Barrier
from typing import TYPE_CHECKING, Any, TypeVar

from tests.contract.tables import jobs_table, runs_table
from tests.support.factories import JOB_ID, NOW, job_factory
from tests.support.placing import placed
from timegate.adapters.dynamo.audit_cursor_store import DynamoAuditCursorStore
from timegate.adapters.dynamo.audit_store import DynamoAuditStore
from timegate.adapters.dynamo.audit_writes import AuditWrites
from timegate.adapters.dynamo.boto_engine import BotoEngine
from timegate.adapters.dynamo.census import DynamoCensus
from timegate.adapters.dynamo.cursor_store import DynamoCursorStore
from timegate.adapters.dynamo.dag_run_store import DynamoDagRunStore
from timegate.adapters.dynamo.dag_store import DynamoDagStore
from timegate.adapters.dynamo.dead_letter_store import DynamoDeadLetterStore
from timegate.adapters.dynamo.engine import Engine
from timegate.adapters.dynamo.job_store import DynamoJobStore
from timegate.adapters.dynamo.log_store import DynamoLogStore
from timegate.adapters.dynamo.operation_store import DynamoOperationStore
from timegate.adapters.dynamo.pool_store import DynamoPoolStore
from timegate.adapters.dynamo.rate_store import DynamoRateStore
from timegate.adapters.dynamo.restriction_store import DynamoRestrictionStore
from timegate.adapters.dynamo.run_store import DynamoRunStore
from timegate.adapters.dynamo.shard_store import DynamoShardStore
from timegate.adapters.dynamo.slot_store import DynamoSlotStore
from timegate.adapters.dynamo.tenant_store import DynamoTenantStore
from timegate.adapters.dynamo.usage_store import DynamoUsageStore
from timegate.adapters.memory.blob_store import MemoryBlobStore
from timegate.adapters.memory.engine import MemoryEngine
from timegate.domain.jobs.job import Job, Timing
from timegate.domain.runs.run import Attempt
from timegate.domain.values.instants import minute_of
from timegate.ports.audit_cursors import AuditCursorStore
from timegate.ports.audit_trail import AuditStore, Trail
from timegate.ports.cursors import CursorStore
from timegate.ports.dag_runs import DagRunStore
from timegate.ports.dags import DagStore
from timegate.ports.dead_letters import DeadLetterStore
from timegate.ports.logs import LogStore
from timegate.ports.operations import OperationStore
from timegate.ports.pools import PoolStore
from timegate.ports.quotas import UsageStore
from timegate.ports.rates import RateStore
from timegate.ports.restrictions import RestrictionStore
from timegate.ports.shards import Census, ShardStore
from timegate.ports.slots import SlotStore
from timegate.ports.stores import AttemptRef, JobStore, RunStore, Unreadable
from timegate.ports.tenants import TenantStore

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

Outcome = TypeVar("Outcome")

SHARDS = 4
#: Where the tests' job waits, and the bucket of the instant at which tests begin.
SHARD = placed(SHARDS).shard_of(JOB_ID)
MINUTE = minute_of(NOW)


@dataclass(frozen=True)
class Stores:
    """Views of the same two tables."""

    engine: Engine
    jobs: JobStore
    runs: RunStore
    cursors: CursorStore
    open_shards: ShardStore
    census: Census
    slots: SlotStore
    rates: RateStore
    operations: OperationStore
    restrictions: RestrictionStore
    pools: PoolStore
    logs: LogStore
    dead_letters: DeadLetterStore
    dags: DagStore
    dag_runs: DagRunStore
    tenants: TenantStore
    usage: UsageStore
    audits: AuditStore
    audit_cursors: AuditCursorStore
    #: On whose behalf they write.
    trail: Trail

    def stored(self, attempt: Attempt) -> Attempt:
        """An attempt as it is now."""
        (loaded,) = self.runs.load_all([AttemptRef(tenant=attempt.tenant, id=attempt.id)])
        assert loaded.attempt is not None
        return loaded.attempt

    def exists(self, attempt: Attempt) -> bool:
        """Whether it is stored at all."""
        (loaded,) = self.runs.load_all([AttemptRef(tenant=attempt.tenant, id=attempt.id)])
        return loaded.attempt is not None

    def due(self, minute: str, shard: int) -> list[Timing]:
        """The jobs that wait in a bucket, all of them readable."""
        found = list(self.jobs.due(minute, shard))
        assert [each for each in found if isinstance(each, Unreadable)] == []
        return [each for each in found if not isinstance(each, Unreadable)]

    def overdue(self, minute: str, shard: int, *, until: datetime) -> list[AttemptRef]:
        """The attempts to look at in a bucket, all of them readable."""
        found = list(self.runs.overdue(minute, shard, until=until))
        assert [each for each in found if isinstance(each, Unreadable)] == []
        return [each for each in found if isinstance(each, AttemptRef)]

    def add(self, attempt: Attempt) -> Attempt:
        """Store an attempt; returns it."""
        assert self.runs.insert_all([attempt]) == [True]
        return attempt

    def add_job(self, **fields: object) -> Job:
        """Store a job; returns it."""
        return self.jobs.create(job_factory(**fields))


def memory_stores() -> Stores:
    """The stores over tables in memory."""
    return stores_on(MemoryEngine(), "jobs", "runs")


def dynamo_stores(client: "DynamoDBClient", name: str, *, shards: int = SHARDS) -> Stores:
    """The stores over two new tables."""
    jobs, runs = f"jobs-{name}", f"runs-{name}"
    client.create_table(**jobs_table(jobs))
    client.create_table(**runs_table(runs))
    return stores_on(BotoEngine(client), jobs, runs, shards=shards)


def stores_on(engine: Engine, jobs: str, runs: str, *, shards: int = SHARDS) -> Stores:
    """The stores over two tables of an engine."""
    trail = Trail(retention=timedelta(days=400))
    of_jobs: dict[str, Any] = {
        "table": jobs,
        "retention_days": 30,
        "audit": AuditWrites(trail, table=jobs),
    }
    of_runs = {**of_jobs, "table": runs, "shards": lambda: placed(shards)}
    return Stores(
        engine=engine,
        jobs=DynamoJobStore(engine, shards=lambda: placed(shards), **of_jobs),
        runs=DynamoRunStore(engine, jobs_table=jobs, **of_runs),
        cursors=DynamoCursorStore(engine, table=jobs),
        open_shards=DynamoShardStore(engine, table=jobs),
        census=DynamoCensus(engine, jobs_table=jobs, runs_table=runs),
        slots=DynamoSlotStore(engine, table=jobs),
        rates=DynamoRateStore(engine, table=jobs),
        operations=DynamoOperationStore(engine, **of_jobs),
        restrictions=DynamoRestrictionStore(engine, **of_jobs),
        pools=DynamoPoolStore(engine, jobs_table=jobs, runs_table=runs),
        logs=DynamoLogStore(engine, table=runs, retention_days=30),
        dead_letters=DynamoDeadLetterStore(engine, **of_runs),
        dags=DynamoDagStore(
            engine, table=jobs, blobs=MemoryBlobStore(), audit=AuditWrites(trail, table=jobs)
        ),
        dag_runs=DynamoDagRunStore(engine, **of_runs),
        tenants=DynamoTenantStore(engine, **of_jobs),
        usage=DynamoUsageStore(engine, table=jobs),
        audits=DynamoAuditStore(engine, table=jobs),
        audit_cursors=DynamoAuditCursorStore(
            engine, table=jobs, shards=lambda: placed(shards), retention_days=30
        ),
        trail=trail,
    )


def race(*contenders: Callable[[], Outcome]) -> list[Outcome]:
    """Let each do its part at the same moment, on a thread of its own; their outcomes."""
    barrier = Barrier(len(contenders))

    def run(contender: Callable[[], Outcome]) -> Outcome:
        barrier.wait()
        return contender()

    with ThreadPoolExecutor(len(contenders)) as pool:
        return list(pool.map(run, contenders))
