"""Every store over two tables of an engine."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from tests.support.factories import job_factory
from timegate.adapters.archive.ended_records import SEGMENT_BYTES, DynamoEndedRecords
from timegate.adapters.dynamo.audit_trail.audit_store import DynamoAuditStore
from timegate.adapters.dynamo.audit_trail.audit_writes import AuditWrites
from timegate.adapters.dynamo.auditing.audit_cursor_store import DynamoAuditCursorStore
from timegate.adapters.dynamo.auditing.meter_store import DynamoMeterStore
from timegate.adapters.dynamo.auditing.usage_store import DynamoUsageStore
from timegate.adapters.dynamo.dag_runs.approval_store import DynamoApprovalStore
from timegate.adapters.dynamo.dag_runs.dag_run_store import DynamoDagRunStore
from timegate.adapters.dynamo.dags.dag_store import DynamoDagStore
from timegate.adapters.dynamo.dispatch.cursor_store import DynamoCursorStore
from timegate.adapters.dynamo.dispatch.full_scan import DynamoCensus
from timegate.adapters.dynamo.dispatch.region_store import DynamoRegionStore
from timegate.adapters.dynamo.dispatch.shard_store import DynamoShardStore
from timegate.adapters.dynamo.dispatch.stage_ticks import DynamoStageTicks
from timegate.adapters.dynamo.events.event_store import DynamoEventStore
from timegate.adapters.dynamo.events.trigger_store import DynamoEventTriggerStore
from timegate.adapters.dynamo.jobs.job_store import DynamoJobStore
from timegate.adapters.dynamo.limits.rate_store import DynamoRateStore
from timegate.adapters.dynamo.limits.slot_store import DynamoSlotStore
from timegate.adapters.dynamo.operations.dead_letter_store import DynamoDeadLetterStore
from timegate.adapters.dynamo.operations.operation_store import DynamoOperationStore
from timegate.adapters.dynamo.pools.pool_store import DynamoPoolStore
from timegate.adapters.dynamo.restrictions.restriction_store import DynamoRestrictionStore
from timegate.adapters.dynamo.runs.absence_store import DynamoAbsenceStore
from timegate.adapters.dynamo.runs.announced_plans import DynamoAnnouncedPlans
from timegate.adapters.dynamo.runs.failure_store import DynamoFailureStore, DynamoListedRunStore
from timegate.adapters.dynamo.runs.items.notice_inserts import NoticeInserts
from timegate.adapters.dynamo.runs.log_store import DynamoLogStore
from timegate.adapters.dynamo.runs.rule_messages import DynamoRuleMessages
from timegate.adapters.dynamo.runs.run_store import DynamoRunStore
from timegate.adapters.dynamo.tables.engine import Engine
from timegate.adapters.dynamo.tenants.api_key_store import DynamoApiKeyStore
from timegate.adapters.dynamo.tenants.rules.rule_store import DynamoRuleStore
from timegate.adapters.dynamo.tenants.tenant_store import DynamoTenantStore
from timegate.adapters.memory.blob_store import MemoryBlobStore
from timegate.domain.jobs.job import Job, Timing
from timegate.domain.runs.run import Attempt
from timegate.ports.announced_plans import AnnouncedPlans
from timegate.ports.archive import EndedRecords
from timegate.ports.auditing import AuditCursorStore
from timegate.ports.blobs import BlobStore
from timegate.ports.dag_runs import DagRunStore
from timegate.ports.dags import DagStore
from timegate.ports.dispatch.cursors import CursorStore
from timegate.ports.dispatch.regions import RegionStore
from timegate.ports.dispatch.shards import Census, ShardPlacement, ShardStore
from timegate.ports.dispatch.stage_ticks import StageTicks
from timegate.ports.events import EventStore
from timegate.ports.limits.quotas import UsageStore
from timegate.ports.limits.rates import RateStore
from timegate.ports.limits.slots import SlotStore
from timegate.ports.metering import MeterStore
from timegate.ports.operations.approvals import ApprovalStore
from timegate.ports.operations.dead_letters import DeadLetterStore, FailureStore, ListedRunStore
from timegate.ports.operations.operation_store import OperationStore
from timegate.ports.pools import PoolStore
from timegate.ports.restrictions import RestrictionStore
from timegate.ports.rules import RuleMessages
from timegate.ports.runs.logs import LogStore
from timegate.ports.stores import AttemptRef, JobStore, RunStore, Unreadable
from timegate.ports.tenants.api_key_store import ApiKeyStore
from timegate.ports.tenants.audit_trail import AuditStore, Trail
from timegate.ports.tenants.tenant_store import TenantStore

#: Size that each table reports: three segments.
TABLE_BYTES = 2 * SEGMENT_BYTES + 1


@dataclass(frozen=True)
class Stores:
    """Views of the same two tables."""

    engine: Engine
    jobs: JobStore
    runs: RunStore
    cursors: CursorStore
    open_shards: ShardStore
    regions: RegionStore
    stage_ticks: StageTicks
    census: Census
    slots: SlotStore
    rates: RateStore
    operations: OperationStore
    restrictions: RestrictionStore
    pools: PoolStore
    logs: LogStore
    dead_letters: DeadLetterStore
    failures: FailureStore
    listed_runs: ListedRunStore
    dags: DagStore
    dag_runs: DagRunStore
    approvals: ApprovalStore
    events: EventStore
    event_triggers: DynamoEventTriggerStore
    tenants: TenantStore
    api_keys: ApiKeyStore
    usage: UsageStore
    audits: AuditStore
    audit_cursors: AuditCursorStore
    rules: DynamoRuleStore
    absences: DynamoAbsenceStore
    rule_messages: RuleMessages
    announced_plans: AnnouncedPlans
    meter: MeterStore
    ended: EndedRecords
    #: On whose behalf they write.
    trail: Trail

    def stored(self, attempt: Attempt) -> Attempt:
        """An attempt as it is now."""
        (loaded,) = self.runs.load_all([AttemptRef(tenant=attempt.tenant, id=attempt.id)])
        assert loaded.attempt is not None
        return loaded.attempt

    def exists(self, attempt: Attempt) -> bool:
        """Tell if it is stored at all."""
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


def stores_on(
    engine: Engine,
    *,
    jobs: str,
    runs: str,
    shards: ShardPlacement,
    trail: Trail | None = None,
    blobs: BlobStore | None = None,
) -> Stores:
    """Build the stores over two tables of an engine."""
    trail = trail or Trail(retention=timedelta(days=400))
    kept: dict[str, Any] = {"retention_days": 30, "audit": AuditWrites(trail, table=jobs)}
    of_runs = {**kept, "table": runs, "shards": shards}
    notices = NoticeInserts(table=runs, shards=shards, retention_days=30)
    of_jobs = DynamoRunStore(engine, jobs_table=jobs, **of_runs)
    return Stores(
        engine=engine,
        runs=of_jobs,
        pools=DynamoPoolStore(engine, jobs_table=jobs, runs_table=runs, audit=kept["audit"]),
        logs=DynamoLogStore(engine, table=runs, retention_days=30),
        census=DynamoCensus(engine, jobs_table=jobs, runs_table=runs),
        dead_letters=DynamoDeadLetterStore(engine, **of_runs),
        dag_runs=DynamoDagRunStore(engine, **of_runs),
        events=DynamoEventStore(engine, table=runs),
        absences=DynamoAbsenceStore(engine, jobs_table=jobs, runs_table=runs, notices=notices),
        rule_messages=DynamoRuleMessages(engine, jobs_table=jobs, notices=notices),
        meter=DynamoMeterStore(engine, jobs_table=jobs, runs_table=runs),
        announced_plans=DynamoAnnouncedPlans(
            engine, table=runs, jobs_table=jobs, shards=shards, retention_days=30
        ),
        ended=DynamoEndedRecords(
            engine, jobs_table=jobs, runs_table=runs, size_of=lambda _: TABLE_BYTES
        ),
        trail=trail,
        dags=_dags(of_jobs, engine, jobs, kept["audit"], blobs or MemoryBlobStore()),
        **_definitions(engine, jobs, shards, kept),
        **_shared_records(engine, jobs),
        **_indexed(engine, runs),
    )


def _indexed(engine: Engine, runs: str) -> dict[str, Any]:
    """Build the stores of sparse indexes of the runs table."""
    return {
        "failures": DynamoFailureStore(engine, table=runs),
        "listed_runs": DynamoListedRunStore(engine, table=runs),
        "approvals": DynamoApprovalStore(engine, table=runs),
    }


def _dags(
    runs: DynamoRunStore, engine: Engine, table: str, audit: AuditWrites, blobs: BlobStore
) -> DagStore:
    return DynamoDagStore(engine, table=table, blobs=blobs, runs=runs, audit=audit)


def _definitions(
    engine: Engine, table: str, shards: ShardPlacement, kept: Mapping[str, Any]
) -> dict[str, Any]:
    """Build the stores of what tenants define, and of what is done with it."""
    return {
        "jobs": DynamoJobStore(engine, table=table, shards=shards, **kept),
        "operations": DynamoOperationStore(engine, table=table, **kept),
        "event_triggers": DynamoEventTriggerStore(engine, table=table, audit=kept["audit"]),
        "restrictions": DynamoRestrictionStore(engine, table=table, **kept),
        "rules": DynamoRuleStore(engine, table=table, **kept),
        "tenants": DynamoTenantStore(engine, table=table, **kept),
        "api_keys": DynamoApiKeyStore(engine, table=table, audit=kept["audit"]),
        "audit_cursors": DynamoAuditCursorStore(
            engine, table=table, shards=shards, retention_days=30
        ),
    }


def _shared_records(engine: Engine, table: str) -> dict[str, Any]:
    """Build the stores of records that many jobs share."""
    return {
        "cursors": DynamoCursorStore(engine, table=table),
        "open_shards": DynamoShardStore(engine, table=table),
        "regions": DynamoRegionStore(engine, table=table),
        "stage_ticks": DynamoStageTicks(engine, table=table),
        "slots": DynamoSlotStore(engine, table=table),
        "rates": DynamoRateStore(engine, table=table),
        "usage": DynamoUsageStore(engine, table=table),
        "audits": DynamoAuditStore(engine, table=table),
    }
