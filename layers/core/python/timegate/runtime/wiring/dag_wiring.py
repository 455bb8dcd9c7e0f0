"""Wiring of what moves DAG runs on."""

from dataclasses import dataclass

from timegate.adapters.dynamo.dags.dag_store import DynamoDagStore
from timegate.adapters.dynamo.dispatch.shard_store import DynamoShardStore
from timegate.adapters.dynamo.jobs.job_store import DynamoJobStore
from timegate.adapters.dynamo.limits.slot_store import DynamoSlotStore
from timegate.adapters.dynamo.runs.run_store import DynamoRunStore
from timegate.adapters.dynamo.tables.engine import Engine
from timegate.adapters.dynamo.tenants.tenant_store import DynamoTenantStore
from timegate.adapters.s3.blob_store import S3BlobStore
from timegate.adapters.step_functions.executions import StepFunctionsExecutions
from timegate.adapters.system_clock import SystemClock
from timegate.runtime import clients
from timegate.runtime.environment import environment
from timegate.runtime.settings import DagSettings, Tables
from timegate.runtime.telemetry import LambdaTelemetry
from timegate.runtime.wiring.dag_run_records import dag_run_store
from timegate.runtime.wiring.dynamo_engine import dynamo_engine
from timegate.usecases.dag_runs.dag_run_services import DagWorks
from timegate.usecases.dag_runs.reading.definitions_at_hand import DefinitionsAtHand
from timegate.usecases.planning.open_shards import ObedientSpread
from timegate.usecases.services.dag_start_services import Starting
from timegate.usecases.services.tenants_at_hand import TenantsAtHand


@dataclass(frozen=True, kw_only=True, slots=True)
class DagServices:
    """Services of the steps of executions."""

    works: DagWorks
    #: May they start runs by events.
    tenants: TenantsAtHand
    telemetry: LambdaTelemetry


def dag_services() -> DagServices:
    """Build the steps; raises ``MissingSetting``."""
    settings, telemetry = DagSettings.read(environment()), LambdaTelemetry()
    engine, tables = dynamo_engine(), settings.tables
    return DagServices(
        works=dag_works(settings, engine, telemetry),
        tenants=TenantsAtHand(
            DynamoTenantStore(engine, table=tables.jobs, retention_days=tables.run_retention_days),
            tables.stage_quotas,
        ),
        telemetry=telemetry,
    )


def dag_starting(
    tables: Tables, engine: Engine, blobs: S3BlobStore, telemetry: LambdaTelemetry
) -> Starting:
    """Build the services that start DAG runs."""
    spread = ObedientSpread(tables.shards, DynamoShardStore(engine, table=tables.jobs))
    return Starting(
        dags=DynamoDagStore(engine, table=tables.jobs, blobs=blobs),
        dag_runs=dag_run_store(tables, engine, spread),
        blobs=blobs,
        telemetry=telemetry,
    )


def dag_works(settings: DagSettings, engine: Engine, telemetry: LambdaTelemetry) -> DagWorks:
    """Build the services that move DAG runs on."""
    tables = settings.tables
    spread = ObedientSpread(tables.shards, DynamoShardStore(engine, table=tables.jobs))
    days, blobs = tables.run_retention_days, S3BlobStore(clients.s3, settings.blob_bucket)
    return DagWorks(
        dag_runs=dag_run_store(tables, engine, spread),
        dags=DefinitionsAtHand(DynamoDagStore(engine, table=tables.jobs, blobs=blobs)),
        runs=DynamoRunStore(
            engine,
            table=tables.runs,
            jobs_table=tables.jobs,
            shards=spread,
            retention_days=days,
        ),
        slots=DynamoSlotStore(engine, table=tables.jobs),
        jobs=DynamoJobStore(engine, table=tables.jobs, shards=spread, retention_days=days),
        blobs=blobs,
        executions=StepFunctionsExecutions(
            clients.step_functions, state_machine_arn=settings.state_machine_arn
        ),
        clock=SystemClock(),
        telemetry=telemetry,
    )
