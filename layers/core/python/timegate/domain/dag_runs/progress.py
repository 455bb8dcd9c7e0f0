"""Progress of a DAG run: the record of the run, and one for each of its tasks."""

from collections.abc import Mapping
from dataclasses import field
from datetime import datetime
from enum import StrEnum

from timegate.domain.dag_runs.run_identity import DagTrigger, TaskRunMark, own_dag_run_trace
from timegate.domain.runs.parent import MatchedEvent
from timegate.domain.runs.run import RunError
from timegate.domain.runs.run_result import StoredResult
from timegate.domain.values.identity import AttemptId, DagId, DagRunId, TaskKey
from timegate.domain.values.payload import Payload
from timegate.domain.values.tenant import TenantId
from timegate.value_classes import dataclass


class TaskState(StrEnum):
    """States of a task of a DAG run."""

    #: Its edges are not decided yet, or it is about to start.
    PENDING = "pending"
    #: Its run exists, or all of them do that it fanned out into; or it waits.
    RUNNING = "running"
    SUCCEEDED = "succeeded"
    FAILED = "failed"
    TIMED_OUT = "timed_out"
    DEAD_LETTERED = "dead_lettered"
    CANCELLED = "cancelled"
    #: Not run, for the reason on record.
    SKIPPED = "skipped"


#: States that ``on_failure`` means.
FAILED_STATES = frozenset(
    {TaskState.FAILED, TaskState.TIMED_OUT, TaskState.DEAD_LETTERED, TaskState.CANCELLED}
)
ENDED_STATES = FAILED_STATES | {TaskState.SUCCEEDED, TaskState.SKIPPED}


class TaskReason(StrEnum):
    """Reasons of a task's end that its run does not give."""

    #: Too few of its edges could still be satisfied.
    UPSTREAM = "upstream"
    #: Another task failed, and the DAG's policy is to stop then.
    FAIL_FAST = "fail_fast"
    #: The DAG run was cancelled.
    DAG_CANCELLED = "dag_cancelled"
    #: The DAG run lasted longer than its DAG allows.
    DAG_TIMED_OUT = "dag_timed_out"
    #: Its input or its list could not be made of what is there.
    INVALID_INPUT = "invalid_input"
    #: The job that it names is gone, or was cancelled.
    JOB_UNAVAILABLE = "job_unavailable"
    #: Too few members of its fan-out can still succeed.
    JOIN_FAILED = "join_failed"
    #: The execution that stands for the DAG run failed.
    EXECUTION_FAILED = "execution_failed"
    #: An operator said so.
    FORCED = "forced"
    #: A person approved.
    APPROVED = "approved"
    #: A person rejected.
    REJECTED = "rejected"
    #: Its approval was not decided, or its event did not come, in time.
    EXPIRED = "expired"
    #: The event that it waited for came.
    RECEIVED = "received"
    #: A caller gave it the data of the event that it waited for.
    SIGNALLED = "signalled"


@dataclass(frozen=True, kw_only=True, slots=True)
class Members:
    """Members of a task that fanned out, and their ends."""

    width: int
    #: The run of each exists.
    is_complete: bool
    succeeded: frozenset[int] = frozenset()
    failed: frozenset[int] = frozenset()
    #: An operator has left these out of the join.
    skipped: frozenset[int] = frozenset()
    #: Where others were run again alone: the earlier round that a member's run is of.
    earlier: Mapping[int, int] = field(default_factory=dict)

    @property
    def own(self) -> frozenset[int]:
        """Return the members whose run is of the task's own round."""
        return frozenset(range(self.width)).difference(self.earlier, self.skipped)


class InterventionKind(StrEnum):
    """Kinds of interventions of operators."""

    #: Said that it has succeeded.
    COMPLETE = "complete"
    #: Said that it is not to be run.
    SKIP = "skip"
    #: Had it run again.
    RERUN = "rerun"
    #: Approved what it waits for.
    APPROVE = "approve"
    #: Rejected what it waits for.
    REJECT = "reject"
    #: Gave it the data of the event that it waits for.
    SIGNAL = "signal"


@dataclass(frozen=True, kw_only=True, slots=True)
class Intervention:
    """The latest intervention in a task."""

    kind: InterventionKind
    by: str
    at: datetime
    #: Why, in his words.
    note: str | None
    #: The idempotency key of his request, and of what is the same under it.
    key: str | None
    fingerprint: str
    #: With some members of a fan-out alone.
    members: tuple[int, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class EndingEvent:
    """The event that ended a task."""

    source: str
    id: str
    received_at: datetime


@dataclass(frozen=True, kw_only=True, slots=True)
class TaskProgress:
    """A task of a DAG run, as stored."""

    tenant: TenantId
    dag_run_id: DagRunId
    key: TaskKey
    state: TaskState = TaskState.PENDING
    #: Counted from 1; a repetition has a new one, and what is heard of an earlier changes nothing.
    round: int = 1
    #: The tasks before it whose edges are decided, by their places in the definition.
    satisfied: frozenset[int] = frozenset()
    unsatisfied: frozenset[int] = frozenset()
    #: Version that the DAG run keeps to, for a task that runs a job.
    job_version: int | None = None
    members: Members | None = None
    started_at: datetime | None = None
    #: End of a wait, unless it is decided before.
    waits_until: datetime | None = None
    #: A person decides about the wait.
    asks: bool = False
    #: Correlation of the event that it waits for.
    correlation: str | None = None
    event: EndingEvent | None = None
    ended_at: datetime | None = None
    #: How often its run was tried; of a fan-out: of the member that was tried most.
    attempts: int = 0
    reason: str | None = None
    error: RunError | None = None
    #: Kept like an attempt's: an excerpt, and the place of the whole of a longer one.
    result: str | None = None
    stored_result: StoredResult | None = None
    #: Callbacks that wait for its end; a step that is repeated leaves another one.
    tokens: tuple[str, ...] = ()
    intervention: Intervention | None = None

    @property
    def has_ended(self) -> bool:
        """Nothing follows but a repetition on request."""
        return self.state in ENDED_STATES

    @property
    def is_waiting(self) -> bool:
        """It is under way without a run: its time or a person ends it."""
        return self.state is TaskState.RUNNING and self.waits_until is not None

    def round_of(self, index: int) -> int:
        """Return the round of a member's run; of a task without members its own."""
        members = self.members
        return self.round if members is None else members.earlier.get(index, self.round)

    def is_run_by(self, mark: TaskRunMark) -> bool:
        """Tell if a run of the task counts: it is of the round of the task, or of the member."""
        return (mark.key, mark.round) == (self.key, self.round_of(mark.index))


class DagRunStatus(StrEnum):
    """States of a DAG run."""

    #: Its tasks are being put on record.
    OPENING = "opening"
    RUNNING = "running"
    #: Failed tasks are being put back, for another round.
    REOPENING = "reopening"
    #: Its work is being cancelled; nothing new starts but what a failure triggers.
    STOPPING = "stopping"
    SUCCEEDED = "succeeded"
    FAILED = "failed"
    CANCELLED = "cancelled"
    TIMED_OUT = "timed_out"


#: The ids of runs count them so far.
MAX_ROUNDS = 999

ENDED_STATUSES = frozenset(
    {DagRunStatus.SUCCEEDED, DagRunStatus.FAILED, DagRunStatus.CANCELLED, DagRunStatus.TIMED_OUT}
)


@dataclass(frozen=True, kw_only=True, slots=True)
class DagRun:
    """One run of a DAG, as stored. Tasks are named by their places in the definition."""

    tenant: TenantId
    dag_run_id: DagRunId
    dag_id: DagId
    #: It keeps to this one, whatever becomes of the DAG.
    dag_version: int
    status: DagRunStatus
    trigger: DagTrigger
    #: Nominal instant of its tasks' runs.
    scheduled_at: datetime
    created_at: datetime
    #: It is stopped then.
    deadline_at: datetime
    #: When a function must look at it if nothing happened; ``None`` once it has ended.
    watch_at: datetime | None
    #: How many tasks it has.
    tasks: int
    #: A JSON object.
    parameters: Payload
    request_hash: str
    #: Attempt of ``job`` whose work it does, and which ends as it does.
    started_by: AttemptId | None = None
    #: That attempt has ended.
    is_told: bool = False
    round: int = 1
    #: The round with which its latest execution began.
    opened_as: int = 1
    #: Rounds since then on request: they are none of the policy's.
    asked_rounds: int = 0
    #: Grows with every change of its status.
    revision: int = 0
    #: Tasks that have ended, with all that follows from it.
    ended: frozenset[int] = frozenset()
    #: Those among them that failed without a task that deals with it.
    failed: frozenset[int] = frozenset()
    #: Those that had failed when an operator had it go on: they stop nothing again.
    known: frozenset[int] = frozenset()
    #: Tasks that are put back while ``reopening``.
    repeats: frozenset[int] = frozenset()
    #: Its status after ``stopping``.
    stops_as: DagRunStatus | None = None
    reason: TaskReason | None = None
    ended_at: datetime | None = None
    #: Callbacks that wait for its end; a step that is repeated leaves another one.
    tokens: tuple[str, ...] = ()
    #: Its end is put on record as a run of its DAG's own job: something listened as it started.
    is_heard: bool = False
    #: The function that is to look at it, as soon as the stream shows this.
    follow: bool = False
    #: The trace of what started it; ``None``: one of its own, by its id.
    trace: str | None = None
    #: The tenant's event that started it; ``None``: something else did.
    event: MatchedEvent | None = None

    @property
    def any_trace(self) -> str:
        """Return the trace that it belongs to, its own as well."""
        return self.trace or own_dag_run_trace(self.tenant, self.dag_run_id)

    @property
    def has_ended(self) -> bool:
        """Nothing follows but a repetition on request."""
        return self.status in ENDED_STATUSES

    @property
    def winds_down(self) -> bool:
        """It stops for a failure: what the failure triggers still runs to its end."""
        return self.status is DagRunStatus.STOPPING and self.reason is TaskReason.FAIL_FAST

    @property
    def stops_all(self) -> bool:
        """Nothing of it goes on: it was cancelled, timed out, or lost its execution."""
        return self.status is DagRunStatus.STOPPING and not self.winds_down

    @property
    def is_awaited(self) -> bool:
        """A job's run waits for its end."""
        return self.started_by is not None and not self.is_told
