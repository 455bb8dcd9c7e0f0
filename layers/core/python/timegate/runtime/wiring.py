"""Wiring: the only place where clients are built and ports are given their adapters."""

from collections.abc import Mapping
from datetime import timedelta
from secrets import token_bytes, token_hex
from typing import TYPE_CHECKING

from timegate.adapters.dynamo.cursor_store import DynamoCursorStore
from timegate.adapters.dynamo.dag_store import DynamoDagStore
from timegate.adapters.dynamo.dead_letter_store import DynamoDeadLetterStore
from timegate.adapters.dynamo.job_store import DynamoJobStore
from timegate.adapters.dynamo.log_store import DynamoLogStore
from timegate.adapters.dynamo.operation_store import DynamoOperationStore
from timegate.adapters.dynamo.rate_store import DynamoRateStore
from timegate.adapters.dynamo.restriction_store import DynamoRestrictionStore
from timegate.adapters.dynamo.run_store import DynamoRunStore
from timegate.adapters.dynamo.shard_store import DynamoShardStore
from timegate.adapters.dynamo.slot_store import DynamoSlotStore
from timegate.adapters.s3.blob_store import S3BlobStore
from timegate.adapters.sqs.backlog import SqsBacklog
from timegate.adapters.sqs.inbox import SqsInbox
from timegate.adapters.sqs.publisher import SqsPublisher
from timegate.adapters.sqs.rejects import SqsRejects
from timegate.adapters.system_clock import SystemClock
from timegate.adapters.threaded_workshop import ThreadedWorkshop
from timegate.domain.lease_token import LEASE_KEY_BYTES
from timegate.ports.shards import Spread
from timegate.runtime import clients
from timegate.runtime.dag_run_records import dag_run_store
from timegate.runtime.dag_wiring import dag_works
from timegate.runtime.environment import environment, trace_header
from timegate.runtime.services import (
    AuditorServices,
    DeadLetterServices,
    ExecutorServices,
    OperatorServices,
    OutcomesServices,
    PlannerServices,
    RelayServices,
    SweeperServices,
)
from timegate.runtime.settings import (
    ApiSettings,
    AuditorSettings,
    DeadLetterSettings,
    ExecutorSettings,
    OperatorSettings,
    OutcomesSettings,
    PlanningSettings,
    RelaySettings,
    SweeperSettings,
    Tables,
)
from timegate.runtime.target_wiring import target_router, target_rules
from timegate.runtime.telemetry import LambdaTelemetry
from timegate.runtime.termination import Termination
from timegate.usecases.audit_shard import Auditing
from timegate.usecases.calendars_at_hand import CalendarsAtHand
from timegate.usecases.materialise import Scheduling
from timegate.usecases.open_shards import ObedientSpread, OpeningSpread
from timegate.usecases.operating import Operating
from timegate.usecases.services import ApiServices
from timegate.usecases.sweep_shard import Sweeping

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient
    from mypy_boto3_sqs import SQSClient


def api_services() -> ApiServices:
    """Build the API; raises ``MissingSetting``."""
    settings = ApiSettings.read(environment())
    telemetry, tables = LambdaTelemetry(), settings.planning.tables
    blobs = S3BlobStore(clients.s3, settings.blob_bucket)
    return ApiServices(
        scheduling=_scheduling(settings.planning, clients.dynamodb(), telemetry),
        operations=_operation_store(tables, clients.dynamodb()),
        dead_letters=_dead_letter_store(tables, clients.dynamodb()),
        dags=DynamoDagStore(clients.dynamodb(), table=tables.jobs, blobs=blobs),
        dag_runs=dag_run_store(tables, clients.dynamodb(), _obedient(tables, clients.dynamodb())),
        blobs=blobs,
        logs=DynamoLogStore(
            clients.dynamodb(), table=tables.runs, retention_days=tables.run_retention_days
        ),
        slots=DynamoSlotStore(clients.dynamodb(), table=tables.jobs),
        clock=SystemClock(),
        tenant_claim=settings.tenant_claim,
        scope_prefix=settings.scope_prefix,
        target_rules=target_rules(settings.targets),
        new_seed=lambda: token_bytes(32),
        run_retention=timedelta(days=tables.run_retention_days),
    )


def planner_services() -> PlannerServices:
    """Build the planner; raises ``MissingSetting``."""
    settings = PlanningSettings.read(environment())
    telemetry = LambdaTelemetry()
    dynamodb = clients.dynamodb()
    return PlannerServices(
        scheduling=_scheduling(settings, dynamodb, telemetry),
        cursors=DynamoCursorStore(dynamodb, table=settings.tables.jobs),
        shards=DynamoShardStore(dynamodb, table=settings.tables.jobs),
        wanted_shards=settings.tables.shards,
        clock=SystemClock(),
        telemetry=telemetry,
    )


def sweeper_services() -> SweeperServices:
    """Build the sweeper; raises ``MissingSetting``."""
    settings = SweeperSettings.read(environment())
    telemetry = LambdaTelemetry()
    dynamodb = clients.dynamodb()
    sweeping = Sweeping(
        runs=_run_store(settings.tables, dynamodb, _obedient(settings.tables, dynamodb)),
        slots=DynamoSlotStore(dynamodb, table=settings.tables.jobs),
        cursors=DynamoCursorStore(dynamodb, table=settings.tables.jobs),
        operations=_operation_store(settings.tables, dynamodb),
        dag_runs=dag_run_store(settings.tables, dynamodb, _obedient(settings.tables, dynamodb)),
        backlog=SqsBacklog(clients.sqs(), settings.queue_urls),
        telemetry=telemetry,
    )
    return SweeperServices(
        sweeping=sweeping,
        shards=DynamoShardStore(dynamodb, table=settings.tables.jobs),
        clock=SystemClock(),
        telemetry=telemetry,
    )


def auditor_services() -> AuditorServices:
    """Build the auditor; raises ``MissingSetting``."""
    tables = AuditorSettings.read(environment()).tables
    dynamodb, telemetry = clients.dynamodb(), LambdaTelemetry()
    shards = DynamoShardStore(dynamodb, table=tables.jobs)
    spread = ObedientSpread(tables.shards, shards)
    auditing = Auditing(
        jobs=_job_store(tables, dynamodb, spread),
        runs=_run_store(tables, dynamodb, spread),
        restrictions=_restriction_store(tables, dynamodb),
        telemetry=telemetry,
    )
    return AuditorServices(
        auditing=auditing, shards=shards, clock=SystemClock(), telemetry=telemetry
    )


def relay_services() -> RelayServices:
    """Build the relay; raises ``MissingSetting``."""
    settings = RelaySettings.read(environment())
    sqs, telemetry = clients.sqs(), LambdaTelemetry()
    return RelayServices(
        publisher=_publisher(sqs, settings.queue_urls, telemetry),
        rejects=SqsRejects(sqs, settings.rejected_queue_url),
        clock=SystemClock(),
        telemetry=telemetry,
        lead_seconds=settings.hold_lead_seconds,
    )


def outcomes_services() -> OutcomesServices:
    """Build outcomes; raises ``MissingSetting``."""
    settings = OutcomesSettings.read(environment())
    dynamodb, tables, telemetry = clients.dynamodb(), settings.dags.tables, LambdaTelemetry()
    spread = _obedient(tables, dynamodb)
    return OutcomesServices(
        dag_works=dag_works(settings.dags, dynamodb, telemetry),
        jobs=_job_store(tables, dynamodb, spread),
        runs=_run_store(tables, dynamodb, spread),
        operations=_operation_store(tables, dynamodb),
        rejects=SqsRejects(clients.sqs(), settings.rejected_queue_url),
        clock=SystemClock(),
        telemetry=telemetry,
    )


def operator_services() -> OperatorServices:
    """Build the operator; raises ``MissingSetting``."""
    settings = OperatorSettings.read(environment())
    telemetry, dynamodb = LambdaTelemetry(), clients.dynamodb()
    operating = Operating(
        scheduling=_scheduling(settings.planning, dynamodb, telemetry),
        operations=_operation_store(settings.planning.tables, dynamodb),
        dead_letters=_dead_letter_store(settings.planning.tables, dynamodb),
        clock=SystemClock(),
    )
    return OperatorServices(
        operating=operating,
        rejects=SqsRejects(clients.sqs(), settings.rejected_queue_url),
        telemetry=telemetry,
    )


def dead_letter_services() -> DeadLetterServices:
    """Build the dead-letter handler; raises ``MissingSetting``."""
    settings = DeadLetterSettings.read(environment())
    dynamodb = clients.dynamodb()
    return DeadLetterServices(
        runs=_run_store(settings.tables, dynamodb, _obedient(settings.tables, dynamodb)),
        rejects=SqsRejects(clients.sqs(), settings.rejected_queue_url),
        clock=SystemClock(),
        telemetry=LambdaTelemetry(),
    )


def executor_services() -> ExecutorServices:
    """Build an executor; raises ``MissingSetting``."""
    settings = ExecutorSettings.read(environment())
    clock, telemetry, dynamodb = SystemClock(), LambdaTelemetry(), clients.dynamodb()
    target = target_router(settings.targets, clock, api_url=settings.api_url)
    workshop = ThreadedWorkshop(target, clock)
    return ExecutorServices(
        runs=_run_store(settings.tables, dynamodb, _obedient(settings.tables, dynamodb)),
        slots=DynamoSlotStore(dynamodb, table=settings.tables.jobs),
        rates=DynamoRateStore(dynamodb, table=settings.tables.jobs),
        calendars=CalendarsAtHand(_restriction_store(settings.tables, dynamodb), telemetry),
        blobs=S3BlobStore(clients.s3, settings.blob_bucket),
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


def _obedient(tables: Tables, dynamodb: "DynamoDBClient") -> Spread:
    """Of those who change runs: only who creates jobs may open shards for them."""
    return ObedientSpread(tables.shards, DynamoShardStore(dynamodb, table=tables.jobs))


def _run_store(tables: Tables, dynamodb: "DynamoDBClient", spread: Spread) -> DynamoRunStore:
    return DynamoRunStore(
        dynamodb,
        table=tables.runs,
        jobs_table=tables.jobs,
        shards=spread,
        retention_days=tables.run_retention_days,
    )


def _job_store(tables: Tables, dynamodb: "DynamoDBClient", spread: Spread) -> DynamoJobStore:
    return DynamoJobStore(
        dynamodb,
        table=tables.jobs,
        shards=spread,
        retention_days=tables.run_retention_days,
    )


def _operation_store(tables: Tables, dynamodb: "DynamoDBClient") -> DynamoOperationStore:
    return DynamoOperationStore(
        dynamodb,
        table=tables.jobs,
        retention_days=tables.run_retention_days,
    )


def _dead_letter_store(tables: Tables, dynamodb: "DynamoDBClient") -> DynamoDeadLetterStore:
    return DynamoDeadLetterStore(
        dynamodb,
        table=tables.runs,
        shards=_obedient(tables, dynamodb),
        retention_days=tables.run_retention_days,
    )


def _restriction_store(tables: Tables, dynamodb: "DynamoDBClient") -> DynamoRestrictionStore:
    return DynamoRestrictionStore(
        dynamodb, table=tables.jobs, retention_days=tables.run_retention_days
    )


def _scheduling(
    settings: PlanningSettings, dynamodb: "DynamoDBClient", telemetry: LambdaTelemetry
) -> Scheduling:
    tables = settings.tables
    shards = DynamoShardStore(dynamodb, table=tables.jobs)
    spread = OpeningSpread(tables.shards, shards, SystemClock())
    restrictions = _restriction_store(tables, dynamodb)
    return Scheduling(
        jobs=_job_store(tables, dynamodb, spread),
        runs=_run_store(tables, dynamodb, spread),
        restrictions=restrictions,
        calendars=CalendarsAtHand(restrictions, telemetry),
        publisher=_publisher(clients.sqs(), settings.queue_urls, telemetry),
        telemetry=telemetry,
        look_ahead=settings.look_ahead,
        lead_seconds=settings.hold_lead_seconds,
    )


def _publisher(
    sqs: "SQSClient", queue_urls: Mapping[str, str], telemetry: LambdaTelemetry
) -> SqsPublisher:
    return SqsPublisher(sqs, queue_urls, telemetry=telemetry, trace_header=trace_header)
