"""Wiring of what functions share: the records, and the way into the queues."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from timegate.adapters.dynamo.audit_trail.audit_writes import AuditWrites
from timegate.adapters.dynamo.dispatch.shard_store import DynamoShardStore
from timegate.adapters.dynamo.jobs.job_store import DynamoJobStore
from timegate.adapters.dynamo.operations.dead_letter_store import DynamoDeadLetterStore
from timegate.adapters.dynamo.operations.operation_store import DynamoOperationStore
from timegate.adapters.dynamo.restrictions.restriction_store import DynamoRestrictionStore
from timegate.adapters.dynamo.runs.run_store import DynamoRunStore
from timegate.adapters.dynamo.tables.engine import Engine
from timegate.adapters.sqs.publisher import SqsPublisher
from timegate.adapters.system_clock import SystemClock
from timegate.ports.dispatch.shards import Spread
from timegate.ports.tenants.audit_trail import Trail
from timegate.runtime import clients
from timegate.runtime.environment import trace_header
from timegate.runtime.settings import PlanningSettings, Tables
from timegate.runtime.telemetry import LambdaTelemetry
from timegate.usecases.planning.open_shards import ObedientSpread, OpeningSpread
from timegate.usecases.services.calendars_at_hand import CalendarsAtHand
from timegate.usecases.services.planner_services import Scheduling

if TYPE_CHECKING:
    from mypy_boto3_sqs import SQSClient


def obedient(tables: Tables, engine: Engine) -> Spread:
    """Build the spread of functions that change runs: they open no shards."""
    return ObedientSpread(tables.shards, DynamoShardStore(engine, table=tables.jobs))


def opening(tables: Tables, engine: Engine) -> Spread:
    """Build the spread of functions that create jobs or runs: they open shards before they
    write.
    """
    store = DynamoShardStore(engine, table=tables.jobs)
    return OpeningSpread(tables.shards, store, SystemClock())


def run_store(
    tables: Tables,
    engine: Engine,
    spread: Spread,
    trail: Trail | None = None,
) -> DynamoRunStore:
    """Build the store of runs."""
    return DynamoRunStore(
        engine,
        table=tables.runs,
        jobs_table=tables.jobs,
        shards=spread,
        retention_days=tables.run_retention_days,
        stage=tables.stage_quotas,
        audit=AuditWrites(trail, table=tables.jobs),
    )


def job_store(
    tables: Tables,
    engine: Engine,
    spread: Spread,
    trail: Trail | None = None,
) -> DynamoJobStore:
    """The definitions."""
    return DynamoJobStore(
        engine,
        table=tables.jobs,
        shards=spread,
        retention_days=tables.run_retention_days,
        audit=AuditWrites(trail, table=tables.jobs),
    )


def operation_store(
    tables: Tables, engine: Engine, trail: Trail | None = None
) -> DynamoOperationStore:
    """Bulk changes and backfills."""
    return DynamoOperationStore(
        engine,
        table=tables.jobs,
        retention_days=tables.run_retention_days,
        audit=AuditWrites(trail, table=tables.jobs),
    )


def dead_letter_store(
    tables: Tables, engine: Engine, trail: Trail | None = None
) -> DynamoDeadLetterStore:
    """Runs that wait for a person."""
    return DynamoDeadLetterStore(
        engine,
        table=tables.runs,
        shards=obedient(tables, engine),
        retention_days=tables.run_retention_days,
        audit=AuditWrites(trail, table=tables.jobs),
    )


def restriction_store(
    tables: Tables, engine: Engine, trail: Trail | None = None
) -> DynamoRestrictionStore:
    """The tenants' calendars and freezes."""
    return DynamoRestrictionStore(
        engine,
        table=tables.jobs,
        retention_days=tables.run_retention_days,
        audit=AuditWrites(trail, table=tables.jobs),
    )


def scheduling(
    settings: PlanningSettings,
    engine: Engine,
    telemetry: LambdaTelemetry,
    trail: Trail | None = None,
    spread: Spread | None = None,
) -> Scheduling:
    """Build the services that create runs, and shards for them; ``spread``: an opening one to
    share.
    """
    tables = settings.tables
    spread = spread or opening(tables, engine)
    restrictions = restriction_store(tables, engine, trail)
    return Scheduling(
        jobs=job_store(tables, engine, spread, trail),
        runs=run_store(tables, engine, spread, trail),
        restrictions=restrictions,
        calendars=CalendarsAtHand(restrictions, telemetry),
        publisher=publisher(clients.sqs(), settings.queue_urls, telemetry),
        telemetry=telemetry,
        look_ahead=settings.look_ahead,
        lead_seconds=settings.hold_lead_seconds,
    )


def publisher(
    sqs: "SQSClient", queue_urls: Mapping[str, str], telemetry: LambdaTelemetry
) -> SqsPublisher:
    """The way into the run queues."""
    return SqsPublisher(sqs, queue_urls, telemetry=telemetry, trace_header=trace_header)
