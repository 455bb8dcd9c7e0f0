"""Wiring of what moves DAG runs on."""

from dataclasses import replace
from typing import TYPE_CHECKING

from timegate.adapters.dynamo.dag_runs.dag_run_store import DynamoDagRunStore
from timegate.adapters.dynamo.dags.dag_definitions import DynamoDagDefinitions
from timegate.adapters.dynamo.events.event_store import DynamoEventStore
from timegate.adapters.dynamo.jobs.job_store import DynamoJobStore
from timegate.adapters.dynamo.limits.slot_store import DynamoSlotStore
from timegate.adapters.s3.blob_store import S3BlobStore
from timegate.adapters.step_functions.executions import StepFunctionsExecutions
from timegate.adapters.system_clock import SystemClock
from timegate.ports.blobs import BlobStore
from timegate.ports.dag_runs import Executions
from timegate.ports.telemetry.telemetry import Telemetry
from timegate.runtime import clients
from timegate.runtime.settings import DagSettings
from timegate.runtime.telemetry import LambdaTelemetry
from timegate.runtime.wiring import lost_until
from timegate.runtime.wiring.parts.records import StoreMaker
from timegate.usecases.dag_runs.dag_run_services import DagWorks
from timegate.usecases.dag_runs.reading.definitions_at_hand import DefinitionsAtHand

if TYPE_CHECKING:
    from timegate.usecases.services.planner_services import Scheduling


def dag_works(
    settings: DagSettings,
    records: StoreMaker,
    telemetry: LambdaTelemetry,
    scheduling: "Scheduling | None" = None,
) -> DagWorks:
    """Build the services that move DAG runs on; ``scheduling``: of a function that may publish."""
    blobs = S3BlobStore(clients.s3, settings.blob_bucket)
    executions = StepFunctionsExecutions(
        clients.step_functions, state_machine_arn=settings.state_machine_arn
    )
    works = works_on(records, telemetry, definitions=blobs, blobs=blobs, executions=executions)
    return replace(works, scheduling=scheduling, lost_until=lost_until)


def works_on(
    records: StoreMaker,
    telemetry: Telemetry,
    *,
    definitions: BlobStore,
    blobs: BlobStore,
    executions: Executions,
) -> DagWorks:
    """Build services over the stage's tables; ``definitions``: has the bodies of long ones."""
    engine, jobs_table = records.engine, records.tables.jobs
    return DagWorks(
        dag_runs=records.sharded_runs(DynamoDagRunStore),
        dags=DefinitionsAtHand(DynamoDagDefinitions(engine, table=jobs_table, blobs=definitions)),
        events=DynamoEventStore(engine, table=records.tables.runs),
        runs=records.runs(),
        slots=DynamoSlotStore(engine, table=jobs_table),
        jobs=records.sharded_jobs(DynamoJobStore),
        blobs=blobs,
        executions=executions,
        clock=SystemClock(),
        telemetry=telemetry,
    )
