"""Wiring of outcomes."""

from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any

from timegate.adapters.dynamo.jobs.job_store import DynamoJobStore
from timegate.adapters.dynamo.operations.operation_store import DynamoOperationStore
from timegate.adapters.dynamo.runs.run_store import DynamoRunStore
from timegate.adapters.sqs.rejects import SqsRejects
from timegate.adapters.system_clock import SystemClock
from timegate.ports.tenants.audit_trail import Trail
from timegate.runtime import clients
from timegate.runtime.environment import environment
from timegate.runtime.settings import OutcomesSettings
from timegate.runtime.telemetry import LambdaTelemetry
from timegate.runtime.wiring.parts.dag_works import dag_works
from timegate.runtime.wiring.parts.dynamo_engine import dynamo_engine
from timegate.runtime.wiring.parts.records import StoreMaker
from timegate.runtime.wiring.parts.scheduling import scheduling
from timegate.usecases.dag_runs.dag_run_services import DagWorks
from timegate.usecases.outcomes.follow_ends import Followers
from timegate.usecases.outcomes.pause_failing_jobs import Pausing
from timegate.usecases.services.planner_services import Scheduling
from timegate.value_classes import dataclass

if TYPE_CHECKING:
    from timegate.runtime.wiring.parts.telling import Telling


@dataclass(frozen=True, kw_only=True, slots=True)
class OutcomesServices:
    """Services of outcomes."""

    dag_works: DagWorks
    scheduling: Scheduling
    jobs: DynamoJobStore
    runs: DynamoRunStore
    operations: DynamoOperationStore
    rejects: SqsRejects
    clock: SystemClock
    telemetry: LambdaTelemetry
    trail: Trail
    #: ``None``: the stage has no bus of events.
    telling: "Telling | None" = None

    def told(self, event: dict[str, Any]) -> AbstractContextManager[dict[str, Any]]:
        """Give the records of ends, and tell of all changes of the batch where the stage does."""
        return nullcontext(event) if self.telling is None else self.telling.beside(event)

    @property
    def pausing(self) -> Pausing:
        """Services that pause jobs whose runs fail in a row."""
        return Pausing(
            jobs=self.jobs,
            runs=self.runs,
            telemetry=self.telemetry,
            trail=self.trail,
            scheduling=self.scheduling,
        )

    @property
    def followers(self) -> Followers:
        """Services that follow the ends of runs."""
        return Followers(
            jobs=self.jobs, runs=self.runs, rejects=self.rejects, telemetry=self.telemetry
        )


def outcomes_services() -> OutcomesServices:
    """Build outcomes; raises ``MissingSetting``."""
    settings = OutcomesSettings.read(environment())
    telemetry, trail = LambdaTelemetry(), Trail(retention=settings.audit_retention)
    records = StoreMaker.obedient(settings.dags.tables, dynamo_engine(), trail)
    rejects = SqsRejects(clients.sqs(), settings.rejected_queue_url)
    publishing = scheduling(settings.planning, records, telemetry)
    return OutcomesServices(
        dag_works=dag_works(settings.dags, records, telemetry, publishing),
        scheduling=publishing,
        jobs=records.sharded_jobs(DynamoJobStore),
        runs=records.runs(),
        operations=records.plain(DynamoOperationStore),
        rejects=rejects,
        clock=SystemClock(),
        telemetry=telemetry,
        trail=trail,
        telling=_telling(rejects, telemetry),
    )


def _telling(rejects: SqsRejects, telemetry: LambdaTelemetry) -> "Telling | None":
    if not environment().optional("CLOUD_EVENTS_QUEUE_URL"):
        return None
    from timegate.runtime.wiring.parts.telling import telling  # noqa: PLC0415 - few stages have it

    return telling(rejects, telemetry)
