"""Services that start DAG runs."""

from timegate.ports.blobs import BlobStore
from timegate.ports.dag_runs import DagDefinitions, DagRunStore
from timegate.ports.telemetry.telemetry import Telemetry
from timegate.value_classes import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class Starting:
    """Stores and telemetry that the start of a DAG run needs."""

    dags: DagDefinitions
    dag_runs: DagRunStore
    blobs: BlobStore
    telemetry: Telemetry
