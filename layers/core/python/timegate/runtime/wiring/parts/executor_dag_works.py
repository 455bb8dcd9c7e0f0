"""Wiring of an executor that moves DAG runs on, once the first task has ended in its process."""

from timegate.adapters.dynamo.dag_runs.dag_run_store import DynamoDagRunStore
from timegate.adapters.dynamo.dags.dag_definitions import DynamoDagDefinitions
from timegate.adapters.dynamo.events.event_store import DynamoEventStore
from timegate.adapters.dynamo.jobs.job_store import DynamoJobStore
from timegate.adapters.dynamo.limits.slot_store import DynamoSlotStore
from timegate.adapters.s3.blob_store import S3BlobStore
from timegate.adapters.system_clock import SystemClock
from timegate.ports.telemetry.telemetry import Telemetry
from timegate.runtime import clients
from timegate.runtime.settings import ExecutorSettings
from timegate.runtime.wiring.parts.dynamo_engine import dynamo_engine
from timegate.runtime.wiring.parts.records import StoreMaker
from timegate.usecases.dag_runs.dag_run_services import DagWorks
from timegate.usecases.dag_runs.reading.definitions_at_hand import DefinitionsAtHand

_IN_NO_RECORD = "The next task needs an object, which outcomes reads and writes."


def executor_dag_works(settings: ExecutorSettings, telemetry: Telemetry) -> DagWorks:
    """Build the services; they write in the time of their region."""
    engine, jobs_table = dynamo_engine(), settings.tables.jobs
    records = StoreMaker.obedient(settings.tables, engine)
    blobs = S3BlobStore(clients.s3, settings.blob_bucket)
    return DagWorks(
        dag_runs=records.sharded_runs(DynamoDagRunStore),
        dags=DefinitionsAtHand(DynamoDagDefinitions(engine, table=jobs_table, blobs=blobs)),
        events=DynamoEventStore(engine, table=settings.tables.runs),
        runs=records.runs(),
        slots=DynamoSlotStore(engine, table=jobs_table),
        jobs=records.sharded_jobs(DynamoJobStore),
        blobs=OutcomesObjects(),
        executions=_ToldByOutcomes(),
        clock=SystemClock(),
        telemetry=telemetry,
    )


class OutcomesObjects:
    """Results and inputs too long for their records: an executor has no right to them."""

    def put(self, *_: object) -> None:
        """Raise ``LookupError``: outcomes starts the task that needs it."""
        raise LookupError(_IN_NO_RECORD)

    def get(self, *_: object) -> str:
        """Raise ``LookupError``, likewise."""
        raise LookupError(_IN_NO_RECORD)

    def link(self, *_: object, **__: object) -> str:
        """Raise ``LookupError``, likewise."""
        raise LookupError(_IN_NO_RECORD)


class _ToldByOutcomes:
    """Executions that an executor has no right to reach: outcomes tells them of every end."""

    def begin(self, *_: object) -> None:
        """Raise ``ValueError``: outcomes opens DAG runs."""
        message = "An executor begins no execution."
        raise ValueError(message)

    def answer(self, *_: object) -> bool:
        """Leave it to outcomes."""
        return False

    def fail(self, *_: object) -> bool:
        """Leave it to outcomes."""
        return False
