"""All of Timegate on tables in memory, with a clock that steps."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any

from tests.support.auditing.auditors import audited_by, auditing_of
from tests.support.execution.pausing import pause_failing
from tests.support.factories import NOW, job_factory
from tests.support.operations.operating import operating_of
from tests.support.pools.worker_services import worker_services
from tests.support.stores.records import JOBS_TABLE, RUNS_TABLE, Records
from tests.support.stores.stores_on import stores_on
from tests.support.stores.stream_images import Image
from timegate.adapters.archive.memory_files import MemoryArchiveFiles
from timegate.adapters.memory.backlog import MemoryBacklog
from timegate.adapters.memory.blob_store import MemoryBlobStore
from timegate.adapters.memory.call_runner import MemoryCallRunner
from timegate.adapters.memory.clock import MemoryClock
from timegate.adapters.memory.hook_secrets import MemoryHookSecrets
from timegate.adapters.memory.inbox import MemoryInbox
from timegate.adapters.memory.look_queue import MemoryLookQueue
from timegate.adapters.memory.publisher import MemoryPublisher
from timegate.adapters.memory.rejects import MemoryRejects
from timegate.adapters.memory.target import MemoryTarget
from timegate.adapters.memory.telemetry import MemoryTelemetry
from timegate.domain.dispatch.looks import LOOK_TIME
from timegate.domain.dispatch.message import RunMessage
from timegate.domain.dispatch.shards import ONE_SHARD, Placement, ShardTurn
from timegate.domain.jobs.job import Job
from timegate.domain.runs.run import Attempt, RunState
from timegate.domain.runs.watch import awaits_outcomes
from timegate.ports.dispatch.messaging import Delayed
from timegate.ports.dispatch.shards import ShardPlacement
from timegate.ports.operations.operation_store import OperationRef
from timegate.usecases.auditing.audit_shard import Audited
from timegate.usecases.dispatch.relay_runs import relay_runs
from timegate.usecases.execution.execute_batch import execute_batch
from timegate.usecases.operations.work_operations import work_operations
from timegate.usecases.outcomes.close_ends import close_ends
from timegate.usecases.outcomes.complete_jobs import complete_jobs
from timegate.usecases.outcomes.fill_places import fill_places
from timegate.usecases.outcomes.follow_ends import Followers, follow_ends
from timegate.usecases.outcomes.wake_operations import wake_followers
from timegate.usecases.planning.plan_shard import TickCounts, plan_shard
from timegate.usecases.services.auditor_services import Auditing
from timegate.usecases.services.calendars_at_hand import CalendarsAtHand
from timegate.usecases.services.completions import Completions
from timegate.usecases.services.dag_start_services import Starting
from timegate.usecases.services.execution_services import Delivery, Execution
from timegate.usecases.services.operations_services import Operating
from timegate.usecases.services.planner_services import Scheduling
from timegate.usecases.services.worker_services import WorkerServices
from timegate.usecases.sweeping.look_at_shard import look_at_shard
from timegate.usecases.sweeping.sweep_shard import Swept, sweep_shard
from timegate.usecases.sweeping.sweeper_services import Sweeping

LEASE, VISIBILITY = timedelta(seconds=60), timedelta(seconds=80)
INVOCATION = timedelta(seconds=895)  # Less what it keeps for letting go.


@dataclass
class World:
    """One shard, one tenant's worth of everything."""

    now: datetime = NOW
    clock: MemoryClock = field(init=False)
    tables: Records = field(default_factory=Records)
    telemetry: MemoryTelemetry = field(default_factory=MemoryTelemetry)
    publisher: MemoryPublisher = field(default_factory=MemoryPublisher)
    inbox: MemoryInbox = field(default_factory=MemoryInbox)
    backlog: MemoryBacklog = field(default_factory=MemoryBacklog)
    target: MemoryTarget = field(default_factory=MemoryTarget)
    blobs: MemoryBlobStore = field(default_factory=MemoryBlobStore)
    hook_secrets: MemoryHookSecrets = field(default_factory=MemoryHookSecrets)
    #: Where the writers of now place jobs and runs.
    spread: ShardPlacement = field(default=lambda: ONE_SHARD)
    #: Images that readers of the stream, and the operator, have seen.
    read_images: int = 0
    read_operations: int = 0
    rejects: MemoryRejects = field(default_factory=MemoryRejects)
    looks: MemoryLookQueue = field(default_factory=MemoryLookQueue)
    archive_files: MemoryArchiveFiles = field(default_factory=MemoryArchiveFiles)

    def __post_init__(self) -> None:
        self.clock = MemoryClock(self.now)
        stores = stores_on(
            self.tables.engine,
            jobs=JOBS_TABLE,
            runs=RUNS_TABLE,
            shards=self._spread,
            trail=self.tables.trail,
            blobs=self.blobs,
        )
        self.jobs, self.runs, self.listed_runs = stores.jobs, stores.runs, stores.listed_runs
        self.dag_runs, self.events, self.dags = stores.dag_runs, stores.events, stores.dags
        self.restrictions, self.operations = stores.restrictions, stores.operations
        self.census, self.slots, self.pools = stores.census, stores.slots, stores.pools
        self.shards, self.stage_ticks = stores.open_shards, stores.stage_ticks
        self.meter, self.approvals = stores.meter, stores.approvals
        self.dead_letters, self.announced_plans = stores.dead_letters, stores.announced_plans
        self.failures, self.rule_messages = stores.failures, stores.rule_messages
        self.usage, self.audits, self.logs = stores.usage, stores.audits, stores.logs
        self.audit_cursors, self.event_triggers = stores.audit_cursors, stores.event_triggers
        self.tenants, self.api_keys, self.rates = stores.tenants, stores.api_keys, stores.rates
        self.rules, self.absences, self.cursors = stores.rules, stores.absences, stores.cursors
        self.call_runner = MemoryCallRunner(self.target, self.clock)

    def _spread(self) -> Placement:
        """Stores outlive the writers that use them here."""
        return self.spread()

    @property
    def turn(self) -> ShardTurn:
        """The only shard there is, since the beginning."""
        return ShardTurn(shard=0, opened_at=self.now)

    @property
    def scheduling(self) -> Scheduling:
        """Build the services that planner and API share."""
        return Scheduling(
            jobs=self.jobs,
            runs=self.runs,
            restrictions=self.restrictions,
            calendars=CalendarsAtHand(self.restrictions, self.telemetry),
            publisher=self.publisher,
            telemetry=self.telemetry,
            clock=self.clock,
            look_ahead=timedelta(minutes=10),
            lead_seconds=1.0,
        )

    @property
    def planning(self) -> Scheduling:
        """Build the planner's services."""
        return replace(self.scheduling, announced_plans=self.announced_plans)

    @property
    def auditing(self) -> Auditing:
        """Build the auditor's services."""
        return auditing_of(self)

    @property
    def operating(self) -> Operating:
        """Build the services of operations; one job after the other, so that tests are the same."""
        return operating_of(self)

    @property
    def followers(self) -> Followers:
        """Build the services that follow ends."""
        return Followers(
            jobs=self.jobs, runs=self.runs, rejects=self.rejects, telemetry=self.telemetry
        )

    @property
    def sweeping(self) -> Sweeping:
        """Build the sweeper's services."""
        return Sweeping(
            runs=self.runs,
            slots=self.slots,
            cursors=self.cursors,
            operations=self.operations,
            rules=self.rules,
            dag_runs=self.dag_runs,
            backlog=self.backlog,
            pools=self.pools,
            telemetry=self.telemetry,
        )

    @property
    def working(self) -> WorkerServices:
        """Build the services of the worker API."""
        return worker_services(self, lease_length=LEASE)

    def execution(self, *, owner: str = "worker-1", **changes: Any) -> Execution:  # noqa: ANN401
        """One invocation of an executor."""
        settings: dict[str, Any] = {
            "lease_length": LEASE,
            "new_lease_key": lambda: "the key of the tests",
            "visibility": VISIBILITY,
            "received_at": self.clock.now(),
            "stops_at": self.clock.now() + INVOCATION,
        }
        return Execution(
            runs=self.runs,
            slots=self.slots,
            rates=self.rates,
            calendars=CalendarsAtHand(self.restrictions, self.telemetry),
            blobs=self.blobs,
            starting=lambda: Starting(
                dags=self.dags, dag_runs=self.dag_runs, blobs=self.blobs, telemetry=self.telemetry
            ),
            inbox=self.inbox,
            call_runner=self.call_runner,
            clock=self.clock,
            telemetry=self.telemetry,
            owner=owner,
            **(settings | changes),
        )

    def add_job(self, **fields: Any) -> Job:  # noqa: ANN401 - as the factory takes them
        """Store a job."""
        return self.jobs.create(job_factory(**fields))

    def lose(self, attempt: Attempt) -> None:
        """Lose the record of an attempt, as nothing that is ours ever does."""
        del self.tables.attempts[attempt.tenant, attempt.id]

    def tick(self, *, owner: str = "planner-1") -> TickCounts | None:
        """One planner tick."""
        return plan_shard(self.turn, self.planning, self.cursors, self.clock, owner=owner)

    def sweep(self, turn: ShardTurn | None = None, *, owner: str = "sweeper-1") -> Swept | None:
        """One sweeper tick over a shard, the only one unless another is given."""
        return sweep_shard(turn or self.turn, self.sweeping, self.clock, owner=owner)

    def look(self) -> Swept:
        """One look of the sweeper, between its ticks."""
        deadline = self.clock.now() + LOOK_TIME
        return look_at_shard(self.turn, self.sweeping, self.clock, deadline=deadline)

    def audit(self, *, owner: str = "auditor-1") -> Audited:
        """One tick of the auditor over the only shard."""
        return audited_by(owner, self)

    def stream(self) -> None:
        """Let relay and outcomes read what is new, through their filters."""
        new = self.tables.images[self.read_images :]
        self.read_images += len(new)
        relayed = [image.after for image in new if relay_sees(image)]
        relay_runs(relayed, self.publisher, self.telemetry, now=self.clock.now(), lead_seconds=1.0)
        ended = [image.after for image in new if awaits_outcomes(image.after)]
        complete_jobs(ended, self.jobs, self.runs, self.telemetry, now=self.clock.now())
        fill_places(ended, self.scheduling, now=self.clock.now())
        wake_followers(ended, self.operations, self.telemetry)
        follow_ends(ended, self.followers, now=self.clock.now())
        pause_failing(ended, self)
        close_ends(ended, self.runs)

    def operate(self, *, steps: int | None = None) -> int:
        """Let the operator read what is new, or so many records; returns how many it read."""
        shown = 0
        while steps is None or shown < steps:
            new = self.tables.operation_images[self.read_operations :]
            if not new:
                break
            self.read_operations += 1
            if new[0].is_running:
                ref = OperationRef(tenant=new[0].tenant, id=new[0].operation_id)
                work_operations([ref], self.operating)
            shown += 1
        return shown

    def settle(self) -> None:
        """Everything that is published runs, and every function hears of it, until all is quiet."""
        while True:
            before = (len(self.tables.images), len(self.tables.operation_images))
            self.operate()
            self.stream()
            self.execute(self.receive())
            if before == (len(self.tables.images), len(self.tables.operation_images)):
                return

    def receive(self) -> list[Delivery]:
        """Take every published message, whenever it is due."""
        sent, self.publisher.sent = self.publisher.sent, []
        return [delivery(message, number) for number, message in enumerate(sent)]

    def execute(self, deliveries: Sequence[Delivery], **changes: Any) -> set[str]:  # noqa: ANN401
        """One executor invocation over these messages; the ids to deliver again."""
        e = self.execution(**changes)  # Ends are written together.
        return execute_batch(deliveries, e, Completions(e.runs, e.telemetry, window_seconds=5))

    def attempts(self) -> list[Attempt]:
        """Every attempt there is, in order."""
        return sorted(self.tables.attempts.values(), key=lambda attempt: attempt.id)

    def states(self) -> list[RunState]:
        """Their states."""
        return [attempt.state for attempt in self.attempts()]


def relay_sees(image: Image) -> bool:
    """The stream filter of the relay, as ``infra`` writes it."""
    return image.after.state is RunState.QUEUED and not image.after.direct


def delivery(message: Delayed | RunMessage, number: int = 0) -> Delivery:
    """A message as an executor receives it."""
    inner = message.message if isinstance(message, Delayed) else message
    return Delivery(
        message=inner, id=f"message-{number}", receipt=f"receipt-{number}", sent_at=inner.due_at
    )
