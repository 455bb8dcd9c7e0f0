"""Runs and attempts: what happened, one record per attempt."""

from datetime import datetime

from timegate.domain.actions.pool import Offer
from timegate.domain.jobs.condition import Checks
from timegate.domain.jobs.delivery import DeliveryMode, KeptAnswer
from timegate.domain.jobs.demands import Precision, Priority, ResourceClass
from timegate.domain.jobs.notification import Occasion, own_trace, trace_id
from timegate.domain.jobs.slices import NO_SLICES, Slices
from timegate.domain.limits.rate_reservation import Pace
from timegate.domain.limits.wait_queue import Queueing
from timegate.domain.runs.checkpoint import Checkpoint, Progress
from timegate.domain.runs.finish import Finish, Lateness
from timegate.domain.runs.lease import Lease, Pickup
from timegate.domain.runs.parent import MatchedEvent, Parent, TriggerTerms
from timegate.domain.runs.resolution import Resolution, Settled
from timegate.domain.runs.run_result import StoredResult
from timegate.domain.runs.run_states import AS_ASKED, FAILURES, TERMINAL, Reason, RunState
from timegate.domain.values.identity import AttemptId, DagRunId, OperationId, Origin, RunId
from timegate.domain.values.payload import Payload
from timegate.domain.values.tenant import TenantId
from timegate.value_classes import dataclass

__all__ = [
    "FAILURES",
    "MAX_RELEASES",
    "TERMINAL",
    "Attempt",
    "Collapsed",
    "Reason",
    "RunError",
    "RunState",
    "TriggerTerms",
    "reason_of_stop",
]


#: So often a run may be handed back without that being held against it.
MAX_RELEASES = 20


@dataclass(frozen=True, kw_only=True, slots=True)
class RunError:
    """An error: a stable code, the error's own type, and its message."""

    code: str
    type: str
    message: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Collapsed:
    """A run's place in a window of triggers that are one run."""

    #: Digest of their key, and the number of the window.
    key: str
    window: int
    #: The beginning of the key; ``None``: they have none.
    shown: str | None = None
    #: The instant of the first trigger.
    since: datetime
    #: How many there were when this was written.
    triggers: int
    #: The run that stood for them then; ``None``: it is this one.
    into: RunId | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Attempt:
    """One try at a run, as stored."""

    tenant: TenantId
    id: AttemptId
    state: RunState
    job_version: int
    priority: Priority
    resource_class: ResourceClass
    precision: Precision
    #: When this attempt may start: the nominal instant, or the end of a retry's back-off.
    due_at: datetime
    created_at: datetime
    #: When the sweeper looks at it if nothing happened; ``None``: it ended, and nothing follows.
    watch_at: datetime | None
    #: The job has no fire after this run: its end completes the job.
    final: bool = False
    #: Its job does not count against its tenant's quota: completing it is no matter of a tally.
    untallied: bool = False
    #: The stream must not publish this image: its writer publishes it, or put it off.
    direct: bool = False
    #: Number of leases of this run so far, those of earlier attempts included: the fence token of
    #: the current or last one. A target that remembers the highest never sees it go backwards.
    fence: int = 0
    #: The fence with which this attempt began: its own leases come after it.
    fenced_from: int = 0
    lease: Lease | None = None
    cancel_requested: bool = False
    #: The run that asked it to stop, to take its slot; ``None``: no run did.
    replaced_by: RunId | None = None
    #: Pickup of the last claim; ``None``: it was not claimed.
    pickup: Pickup | None = None
    started_at: datetime | None = None
    ended_at: datetime | None = None
    #: Share of a long call in the time of its environment; ``None``: of a short one, or unknown.
    environment_ms: int | None = None
    reason: Reason | None = None
    error: RunError | None = None
    #: The target's answer, cut to an excerpt.
    result: str | None = None
    #: Where the whole of a longer answer lies.
    stored_result: StoredResult | None = None
    #: Why it ended so, and what follows: "attempt 2 of 5, next at ...".
    explanation: str | None = None
    #: When earlier attempts failed in a way that the breaker counts, latest last.
    failed_at: tuple[datetime, ...] = ()
    #: The operation that made this run, or opened it again, and waits for its end.
    operation: OperationId | None = None
    #: The attempt with which the run was opened, the last time: tries count from it.
    opened_as: int = 1
    #: When it was to begin, if that is another instant than the nominal one.
    opened_at: datetime | None = None
    #: When it was due before a caller named another instant; ``None``: none did.
    rescheduled_from: datetime | None = None
    #: Mode of its job at the last claim: under this it is executed, and taken over.
    delivery: DeliveryMode = DeliveryMode.AT_LEAST_ONCE
    #: How often a worker that had to stop handed its lease back; counted anew by each slice.
    releases: int = 0
    #: Leases taken beside no other run, after one that ended without a word; by slice as well.
    alone: int = 0
    #: Executions under ``exactly_once`` that were found to be duplicates, and did not happen.
    duplicates_prevented: int = 0
    #: Known effect under ``exactly_once`` although no holder of the lease recorded it.
    kept_answer: KeptAnswer | None = None
    #: Where it is offered to workers; ``None``: it goes through a queue.
    offer: Offer | None = None
    #: With this the tokens of its leases are signed, once a worker outside has held it.
    lease_key: str | None = None
    #: It was due then, during a freeze, and waits for its end.
    frozen_since: datetime | None = None
    #: How far its worker said it was, the last time it said so.
    progress: Progress | None = None
    #: The run's last one, perhaps of an earlier attempt: the next worker begins there.
    checkpoint: Checkpoint | None = None
    slices: Slices = NO_SLICES
    #: That of its trigger, or of its redrive, instead of its job's.
    payload: Payload | None = None
    #: Terms that the run's trigger set.
    terms: TriggerTerms | None = None
    #: Collapse of the run's trigger with others.
    collapse: Collapsed | None = None
    #: Decision about a dead letter; ``None``: it waits for one.
    resolution: Resolution | None = None
    #: Occasions on which it is told of or a job follows, as its job said at the last claim.
    notify: tuple[Occasion, ...] = ()
    notice: str | None = None
    parent: Parent | None = None
    #: It was due, and a rate limit put it off; of the last time.
    pace: Pace | None = None
    queueing: Queueing | None = None
    checks: Checks | None = None
    #: It is left to this one, and ends as that does.
    dag_run: DagRunId | None = None
    #: It was planned for a job with ``max_runs``, and takes one of its places.
    counted: bool = False
    #: A backfill made the run, and no planner: instants before it may have no record.
    backfilled: bool = False
    #: Its tenant's listing shows it in every state; the write that stores it puts it there.
    listed: bool = False
    #: Its deadline, once it was looked at or claimed; ``None``: its job has none.
    finish: Finish | None = None
    #: Late start of a run that was due and had not begun, if its job or tenant has these told.
    lateness: Lateness | None = None
    #: The trace that it belongs to, a caller's with its flag; ``None``: its own, by its id.
    trace: str | None = None

    @property
    def any_trace(self) -> str:
        """Return the trace that it belongs to, its own as well."""
        return self.trace or own_trace(self.tenant, self.id.run)

    @property
    def trace_id(self) -> str:
        """Return the id of that trace, 32 hexadecimal digits."""
        return trace_id(self.any_trace)

    @property
    def matched_event(self) -> MatchedEvent | None:
        """Return the event that triggered its run; ``None``: none did."""
        return self.terms.event if self.terms is not None else None

    @property
    def leases(self) -> int:
        """Count the claims of this very attempt."""
        return self.fence - self.fenced_from

    @property
    def deaths(self) -> int:
        """Leases of its slice that were not given back: of dead workers, and perhaps a live one."""
        ended = self.slices.last.fence if self.slices.last is not None else 0
        # A run that is handed back for ever is as good as one that kills.
        return self.fence - max(self.fenced_from, ended) - min(self.releases, MAX_RELEASES)

    @property
    def is_under_way(self) -> bool:
        """Part of its work is done and on record: what keeps others from beginning lets it go on.

        It waits where it may not work now, and ends only where its owner wants it to.
        """
        return self.slices.ended > 0

    @property
    def queue_key(self) -> str:
        """The queue it goes through: ``<priority>-<class>``."""
        return f"{self.priority}-{self.resource_class}"

    @property
    def is_dead_letter(self) -> bool:
        """It was given up, and is not settled; a task's is its DAG run's to deal with."""
        given_up = self.state is RunState.DEAD_LETTERED and not self.is_task
        return given_up and self.resolution is None

    @property
    def is_failure(self) -> bool:
        """The run was to happen, and ended without success; an open redrive is none."""
        redriven = self.resolution is not None and self.resolution.settled is Settled.REDRIVEN
        return self.state in FAILURES and self.reason not in AS_ASKED and not redriven

    @property
    def ends_run(self) -> bool:
        """No attempt follows this one."""
        return self.state in TERMINAL and self.reason is not Reason.RETRIED

    @property
    def tries(self) -> int:
        """Count the tries since the run was opened, this attempt included."""
        return self.id.number - self.opened_as + 1

    @property
    def completes_job(self) -> bool:
        """With this attempt the job has nothing left to do."""
        return self.final and self.ends_run

    @property
    def is_followed(self) -> bool:
        """Something follows this end: for its job or DAG run, an operation, a hook, a next job."""
        heard = self.operation is not None or self.heard_occasion is not None or self.heard_miss
        return self.ends_run and (self.final or heard or self.is_task or self.frees_place)

    @property
    def frees_place(self) -> bool:
        """It ended before it began, and its place of ``max_runs`` is another run's."""
        return self.counted and self.ends_run and self.fence == 0

    @property
    def is_asked_for(self) -> bool:
        """A caller triggered the run: no schedule and no operation names it."""
        return self.id.run.origin is Origin.TRIGGER and self.operation is None

    @property
    def is_task(self) -> bool:
        """It is a run of a task of a DAG run."""
        return self.id.run.origin is Origin.TASK

    @property
    def heard_occasion(self) -> Occasion | None:
        """Return the end of the run as an occasion, if a hook wants it."""
        if not self.ends_run:
            return None
        return next((each for each in self.notify if each.value == self.state.value), None)

    @property
    def heard_miss(self) -> bool:
        """The run ended after its deadline, which is to be told of and was not yet."""
        asked = self.ends_run and Occasion.MISSED_DEADLINE in self.notify
        finish, ended_at = self.finish, self.ended_at
        if not asked or finish is None or ended_at is None or finish.missed:
            return False
        return ended_at > finish.by


def reason_of_stop(reason: Reason | None, replaced_by: RunId | None) -> Reason | None:
    """Name a requested cancel by its author: a run that takes the slot, or a caller.

    The holder of a lease learns only that it is to stop, so the record tells the two apart.
    """
    if reason is Reason.CANCEL_REQUESTED and replaced_by is not None:
        return Reason.REPLACED
    return reason
