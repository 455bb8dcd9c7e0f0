"""Wiring: what each function works with; the only place where ports are given their adapters."""

from datetime import timedelta
from secrets import token_hex

from timegate.adapters.dynamo.auditing.audit_cursor_store import DynamoAuditCursorStore
from timegate.adapters.dynamo.auditing.usage_store import DynamoUsageStore
from timegate.adapters.dynamo.dispatch.cursor_store import DynamoCursorStore
from timegate.adapters.dynamo.dispatch.shard_store import DynamoShardStore
from timegate.adapters.dynamo.limits.rate_store import DynamoRateStore
from timegate.adapters.dynamo.limits.slot_store import DynamoSlotStore
from timegate.adapters.s3.blob_store import S3BlobStore
from timegate.adapters.sqs.backlog import SqsBacklog
from timegate.adapters.sqs.inbox import SqsInbox
from timegate.adapters.sqs.look_queue import SqsLookQueue
from timegate.adapters.sqs.rejects import SqsRejects
from timegate.adapters.system_clock import SystemClock
from timegate.domain.pools.lease_token import LEASE_KEY_BYTES
from timegate.ports.tenants.audit_trail import Trail
from timegate.runtime import clients
from timegate.runtime.environment import environment
from timegate.runtime.settings import (
    AuditorSettings,
    DeadLetterSettings,
    ExecutorSettings,
    OperationsSettings,
    OutcomesSettings,
    PlanningSettings,
    RelaySettings,
    SweeperSettings,
)
from timegate.runtime.telemetry import LambdaTelemetry
from timegate.runtime.termination import Termination
from timegate.runtime.wiring.dag_run_records import dag_run_store
from timegate.runtime.wiring.dag_wiring import dag_starting, dag_works
from timegate.runtime.wiring.dynamo_engine import dynamo_engine
from timegate.runtime.wiring.record_wiring import (
    dead_letter_store,
    job_store,
    obedient,
    operation_store,
    publisher,
    restriction_store,
    run_store,
    scheduling,
)
from timegate.runtime.wiring.services import (
    AuditorServices,
    DeadLetterServices,
    ExecutorServices,
    OperationsServices,
    OutcomesServices,
    PlannerServices,
    RelayServices,
    SweeperServices,
)
from timegate.runtime.wiring.target_wiring import target_workshop
from timegate.usecases.planning.open_shards import ObedientSpread
from timegate.usecases.services.auditor_services import Auditing
from timegate.usecases.services.calendars_at_hand import CalendarsAtHand
from timegate.usecases.services.operations_services import Operating
from timegate.usecases.sweeping.sweeper_services import Sweeping


def planner_services() -> PlannerServices:
    """Build the planner; raises ``MissingSetting``."""
    settings = PlanningSettings.read(environment())
    telemetry = LambdaTelemetry()
    engine = dynamo_engine()
    return PlannerServices(
        scheduling=scheduling(settings, engine, telemetry),
        cursors=DynamoCursorStore(engine, table=settings.tables.jobs),
        shards=DynamoShardStore(engine, table=settings.tables.jobs),
        wanted_shards=settings.tables.shards,
        clock=SystemClock(),
        telemetry=telemetry,
    )


def sweeper_services() -> SweeperServices:
    """Build the sweeper; raises ``MissingSetting``."""
    settings = SweeperSettings.read(environment())
    telemetry = LambdaTelemetry()
    engine, sqs = dynamo_engine(), clients.sqs()
    sweeping = Sweeping(
        runs=run_store(settings.tables, engine, obedient(settings.tables, engine)),
        slots=DynamoSlotStore(engine, table=settings.tables.jobs),
        cursors=DynamoCursorStore(engine, table=settings.tables.jobs),
        operations=operation_store(settings.tables, engine),
        dag_runs=dag_run_store(settings.tables, engine, obedient(settings.tables, engine)),
        backlog=SqsBacklog(sqs, settings.queue_urls),
        telemetry=telemetry,
    )
    return SweeperServices(
        sweeping=sweeping,
        looks=SqsLookQueue(sqs, settings.looks_queue_url, telemetry),
        shards=DynamoShardStore(engine, table=settings.tables.jobs),
        clock=SystemClock(),
        telemetry=telemetry,
    )


def auditor_services() -> AuditorServices:
    """Build the auditor; raises ``MissingSetting``."""
    tables = AuditorSettings.read(environment()).tables
    engine, telemetry = dynamo_engine(), LambdaTelemetry()
    shards = DynamoShardStore(engine, table=tables.jobs)
    spread = ObedientSpread(tables.shards, shards)
    auditing = Auditing(
        jobs=job_store(tables, engine, spread),
        runs=run_store(tables, engine, spread),
        cursors=DynamoAuditCursorStore(
            engine,
            table=tables.jobs,
            shards=spread,
            retention_days=tables.run_retention_days,
        ),
        restrictions=restriction_store(tables, engine),
        usage=DynamoUsageStore(engine, table=tables.jobs),
        telemetry=telemetry,
        clock=SystemClock(),
        retention=timedelta(days=tables.run_retention_days),
    )
    return AuditorServices(
        auditing=auditing, shards=shards, clock=SystemClock(), telemetry=telemetry
    )


def relay_services() -> RelayServices:
    """Build the relay; raises ``MissingSetting``."""
    settings = RelaySettings.read(environment())
    sqs, telemetry = clients.sqs(), LambdaTelemetry()
    return RelayServices(
        publisher=publisher(sqs, settings.queue_urls, telemetry),
        rejects=SqsRejects(sqs, settings.rejected_queue_url),
        clock=SystemClock(),
        telemetry=telemetry,
        lead_seconds=settings.hold_lead_seconds,
    )


def outcomes_services() -> OutcomesServices:
    """Build outcomes; raises ``MissingSetting``."""
    settings = OutcomesSettings.read(environment())
    engine, tables, telemetry = dynamo_engine(), settings.dags.tables, LambdaTelemetry()
    spread = obedient(tables, engine)
    return OutcomesServices(
        dag_works=dag_works(settings.dags, engine, telemetry),
        scheduling=scheduling(settings.planning, engine, telemetry, spread=spread),
        jobs=job_store(tables, engine, spread),
        runs=run_store(tables, engine, spread),
        operations=operation_store(tables, engine),
        rejects=SqsRejects(clients.sqs(), settings.rejected_queue_url),
        clock=SystemClock(),
        telemetry=telemetry,
    )


def operations_services() -> OperationsServices:
    """Build the operations function; raises ``MissingSetting``."""
    settings = OperationsSettings.read(environment())
    telemetry, engine = LambdaTelemetry(), dynamo_engine()
    trail = Trail(retention=settings.audit_retention)
    operating = Operating(
        scheduling=scheduling(settings.planning, engine, telemetry, trail),
        operations=operation_store(settings.planning.tables, engine),
        dead_letters=dead_letter_store(settings.planning.tables, engine, trail),
        trail=trail,
        clock=SystemClock(),
    )
    return OperationsServices(
        operating=operating,
        rejects=SqsRejects(clients.sqs(), settings.rejected_queue_url),
        telemetry=telemetry,
    )


def dead_letter_services() -> DeadLetterServices:
    """Build the dead-letter handler; raises ``MissingSetting``."""
    settings = DeadLetterSettings.read(environment())
    engine = dynamo_engine()
    return DeadLetterServices(
        runs=run_store(settings.tables, engine, obedient(settings.tables, engine)),
        rejects=SqsRejects(clients.sqs(), settings.rejected_queue_url),
        clock=SystemClock(),
        telemetry=LambdaTelemetry(),
    )


def executor_services() -> ExecutorServices:
    """Build an executor; raises ``MissingSetting``."""
    settings = ExecutorSettings.read(environment())
    clock, telemetry, engine = SystemClock(), LambdaTelemetry(), dynamo_engine()
    workshop = target_workshop(
        settings.targets, clock, api_url=settings.api_url, role_arn=settings.targets_role_arn
    )
    blobs = S3BlobStore(clients.s3, settings.blob_bucket)
    return ExecutorServices(
        runs=run_store(settings.tables, engine, obedient(settings.tables, engine)),
        slots=DynamoSlotStore(engine, table=settings.tables.jobs),
        rates=DynamoRateStore(engine, table=settings.tables.jobs),
        calendars=CalendarsAtHand(restriction_store(settings.tables, engine), telemetry),
        blobs=blobs,
        starting=dag_starting(settings.tables, engine, blobs, telemetry),
        inbox=SqsInbox(clients.sqs(), settings.queue_url, telemetry),
        workshop=workshop,
        clock=clock,
        telemetry=telemetry,
        queue_key=settings.queue_key,
        lease_length=settings.lease_length,
        visibility=settings.visibility,
        termination=Termination(workshop.close),
        new_lease_key=lambda: token_hex(LEASE_KEY_BYTES),
    )
