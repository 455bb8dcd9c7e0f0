"""Wiring of an executor that moves DAG runs on, once the first task has ended in its process."""

from timegate.adapters.s3.blob_store import S3BlobStore
from timegate.ports.telemetry.telemetry import Telemetry
from timegate.runtime import clients
from timegate.runtime.settings import ExecutorSettings
from timegate.runtime.wiring.parts.dag_works import works_on
from timegate.runtime.wiring.parts.dynamo_engine import dynamo_engine
from timegate.runtime.wiring.parts.records import StoreMaker
from timegate.usecases.dag_runs.dag_run_services import DagWorks

_IN_NO_RECORD = "The next task needs an object, which outcomes reads and writes."


def executor_dag_works(settings: ExecutorSettings, telemetry: Telemetry) -> DagWorks:
    """Build the services; they write in the time of their region."""
    return works_on(
        StoreMaker.obedient(settings.tables, dynamo_engine()),
        telemetry,
        definitions=S3BlobStore(clients.s3, settings.blob_bucket),
        blobs=OutcomesObjects(),
        executions=_ToldByOutcomes(),
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
