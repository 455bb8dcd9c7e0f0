"""Services of each function, as ``wiring`` builds them."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta

from timegate.adapters.dynamo.dispatch.cursor_store import DynamoCursorStore
from timegate.adapters.dynamo.dispatch.shard_store import DynamoShardStore
from timegate.adapters.dynamo.jobs.job_store import DynamoJobStore
from timegate.adapters.dynamo.limits.rate_store import DynamoRateStore
from timegate.adapters.dynamo.limits.slot_store import DynamoSlotStore
from timegate.adapters.dynamo.operations.operation_store import DynamoOperationStore
from timegate.adapters.dynamo.runs.run_store import DynamoRunStore
from timegate.adapters.s3.blob_store import S3BlobStore
from timegate.adapters.sqs.inbox import SqsInbox
from timegate.adapters.sqs.look_queue import SqsLookQueue
from timegate.adapters.sqs.publisher import SqsPublisher
from timegate.adapters.sqs.rejects import SqsRejects
from timegate.adapters.system_clock import SystemClock
from timegate.adapters.threaded_workshop import ThreadedWorkshop
from timegate.runtime.telemetry import LambdaTelemetry
from timegate.runtime.termination import Termination
from timegate.usecases.dag_runs.dag_run_services import DagWorks
from timegate.usecases.services.auditor_services import Auditing
from timegate.usecases.services.calendars_at_hand import CalendarsAtHand
from timegate.usecases.services.dag_start_services import Starting
from timegate.usecases.services.durations_at_hand import DurationsAtHand
from timegate.usecases.services.execution_services import Execution
from timegate.usecases.services.operations_services import Operating
from timegate.usecases.services.planner_services import Scheduling
from timegate.usecases.sweeping.sweeper_services import Sweeping

#: So long before its end an invocation lets go of what still works: time for a few writes.
LETTING_GO = timedelta(seconds=5)


@dataclass(frozen=True, kw_only=True, slots=True)
class PlannerServices:
    """Services of the planner."""

    scheduling: Scheduling
    cursors: DynamoCursorStore
    shards: DynamoShardStore
    #: How many shards this planner opens.
    wanted_shards: int
    clock: SystemClock
    telemetry: LambdaTelemetry


@dataclass(frozen=True, kw_only=True, slots=True)
class SweeperServices:
    """Services of the sweeper."""

    sweeping: Sweeping
    looks: SqsLookQueue
    shards: DynamoShardStore
    clock: SystemClock
    telemetry: LambdaTelemetry


@dataclass(frozen=True, kw_only=True, slots=True)
class AuditorServices:
    """Services of the auditor."""

    auditing: Auditing
    shards: DynamoShardStore
    clock: SystemClock
    telemetry: LambdaTelemetry


@dataclass(frozen=True, kw_only=True, slots=True)
class RelayServices:
    """Services of the relay: no table."""

    publisher: SqsPublisher
    rejects: SqsRejects
    clock: SystemClock
    telemetry: LambdaTelemetry
    lead_seconds: float


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


@dataclass(frozen=True, kw_only=True, slots=True)
class OperationsServices:
    """Services of the operations function."""

    operating: Operating
    rejects: SqsRejects
    telemetry: LambdaTelemetry


@dataclass(frozen=True, kw_only=True, slots=True)
class DeadLetterServices:
    """Services of the dead-letter function."""

    runs: DynamoRunStore
    rejects: SqsRejects
    clock: SystemClock
    telemetry: LambdaTelemetry


@dataclass(frozen=True, kw_only=True, slots=True)
class ExecutorServices:
    """Services that an executor keeps between invocations."""

    runs: DynamoRunStore
    slots: DynamoSlotStore
    rates: DynamoRateStore
    calendars: CalendarsAtHand
    blobs: S3BlobStore
    starting: Starting
    inbox: SqsInbox
    workshop: ThreadedWorkshop
    clock: SystemClock
    telemetry: LambdaTelemetry
    queue_key: str
    lease_length: timedelta
    visibility: timedelta
    termination: Termination
    #: A secret nobody has seen before.
    new_lease_key: Callable[[], str]
    durations: DurationsAtHand = field(default_factory=DurationsAtHand)

    def execution(self, *, owner: str, remaining_ms: int) -> Execution:
        """One invocation, received now, that has so long to live."""
        now = self.clock.now()
        return Execution(
            runs=self.runs,
            slots=self.slots,
            rates=self.rates,
            calendars=self.calendars,
            blobs=self.blobs,
            starting=self.starting,
            inbox=self.inbox,
            workshop=self.workshop,
            clock=self.clock,
            telemetry=self.telemetry,
            owner=owner,
            lease_length=self.lease_length,
            visibility=self.visibility,
            new_lease_key=self.new_lease_key,
            durations=self.durations,
            received_at=now,
            stops_at=now + timedelta(milliseconds=remaining_ms) - LETTING_GO,
        )
