"""Wiring of an executor that starts DAG runs, once the first job that is done by one has come."""

from timegate.adapters.dynamo.dag_runs.dag_run_store import DynamoDagRunStore
from timegate.adapters.dynamo.dags.dag_definitions import DynamoDagDefinitions
from timegate.ports.blobs import BlobStore
from timegate.ports.telemetry.telemetry import Telemetry
from timegate.runtime.wiring.parts.records import StoreMaker
from timegate.usecases.services.dag_start_services import Starting


def dag_starting(records: StoreMaker, blobs: BlobStore, telemetry: Telemetry) -> Starting:
    """Build the services."""
    return Starting(
        dags=DynamoDagDefinitions(records.engine, table=records.tables.jobs, blobs=blobs),
        dag_runs=records.sharded_runs(DynamoDagRunStore),
        blobs=blobs,
        telemetry=telemetry,
    )
