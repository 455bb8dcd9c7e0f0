"""Wiring of the auditor."""

from collections.abc import Callable
from datetime import datetime, timedelta
from functools import partial

from timegate.adapters.dynamo.auditing.audit_cursor_store import DynamoAuditCursorStore
from timegate.adapters.dynamo.auditing.usage_store import DynamoUsageStore
from timegate.adapters.dynamo.dispatch.shard_store import DynamoShardStore
from timegate.adapters.dynamo.jobs.job_store import DynamoJobStore
from timegate.adapters.dynamo.restrictions.restriction_store import DynamoRestrictionStore
from timegate.adapters.dynamo.tables.engine import Engine
from timegate.adapters.heartbeat import HttpHeartbeat
from timegate.adapters.system_clock import SystemClock
from timegate.domain.values.tenant import TenantId
from timegate.runtime.environment import environment
from timegate.runtime.settings import AuditorSettings, Tables
from timegate.runtime.telemetry import LambdaTelemetry
from timegate.runtime.wiring.parts.dynamo_engine import dynamo_engine
from timegate.runtime.wiring.parts.records import StoreMaker
from timegate.usecases.services.auditor_services import Auditing
from timegate.value_classes import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class AuditorServices:
    """Services of the auditor."""

    auditing: Auditing
    #: Loads what counts costs, which one group of shards needs.
    meter_runs: Callable[[datetime], int]
    shards: DynamoShardStore
    heartbeat: HttpHeartbeat
    clock: SystemClock
    telemetry: LambdaTelemetry


def auditor_services() -> AuditorServices:
    """Build the auditor; raises ``MissingSetting``."""
    settings = AuditorSettings.read(environment())
    tables = settings.tables
    engine, telemetry = dynamo_engine(), LambdaTelemetry()
    records = StoreMaker.obedient(tables, engine)
    auditing = Auditing(
        jobs=records.sharded_jobs(DynamoJobStore),
        runs=records.runs(),
        cursors=DynamoAuditCursorStore(
            engine,
            table=tables.jobs,
            shards=records.spread,
            retention_days=tables.run_retention_days,
        ),
        restrictions=records.plain(DynamoRestrictionStore),
        is_erased=partial(_is_erased, records),
        usage=DynamoUsageStore(engine, table=tables.jobs),
        telemetry=telemetry,
        clock=SystemClock(),
        retention=timedelta(days=tables.run_retention_days),
    )
    return AuditorServices(
        auditing=auditing,
        meter_runs=partial(_meter_runs, engine, tables, telemetry),
        shards=DynamoShardStore(engine, table=tables.jobs),
        heartbeat=HttpHeartbeat(settings.heartbeat_url),
        clock=SystemClock(),
        telemetry=telemetry,
    )


def _is_erased(records: StoreMaker, tenant: TenantId) -> bool:
    """Read a tenant's record, which no audit asks for before a job is gone."""
    from timegate.adapters.dynamo.tenants.tenant_store import DynamoTenantStore  # noqa: PLC0415

    return records.plain(DynamoTenantStore).get(tenant).erased_at is not None


def _meter_runs(engine: Engine, tables: Tables, telemetry: LambdaTelemetry, now: datetime) -> int:
    from timegate.adapters.dynamo.auditing.meter_store import DynamoMeterStore  # noqa: PLC0415
    from timegate.usecases.metering.meter_runs import meter_runs  # noqa: PLC0415
    from timegate.usecases.metering.metering_services import Metering  # noqa: PLC0415

    store = DynamoMeterStore(engine, jobs_table=tables.jobs, runs_table=tables.runs)
    return meter_runs(Metering(store=store, clock=SystemClock(), telemetry=telemetry), now=now)
