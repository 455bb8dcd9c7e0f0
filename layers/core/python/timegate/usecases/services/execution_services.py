"""Services of an executor, and the deliveries it takes."""

from collections.abc import Callable, Sequence
from dataclasses import field, replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from timegate.domain.dispatch.message import RunMessage
from timegate.domain.jobs.delivery import DeliveryMode
from timegate.domain.jobs.job import Job
from timegate.domain.jobs.notification import Occasion
from timegate.domain.runs.lease import Lease
from timegate.domain.runs.run import Attempt
from timegate.ports.blobs import BlobStore
from timegate.ports.call_runner import CallRunner
from timegate.ports.clock import Clock
from timegate.ports.dispatch.messaging import Inbox
from timegate.ports.limits.rates import RateStore
from timegate.ports.limits.slots import SlotStore
from timegate.ports.stores import RunStore
from timegate.ports.telemetry.telemetry import Telemetry, of_run
from timegate.usecases.services.calendars_at_hand import CalendarsAtHand
from timegate.usecases.services.durations_at_hand import DurationsAtHand
from timegate.value_classes import dataclass

if TYPE_CHECKING:
    from timegate.domain.approvals.link import LinkTerms
    from timegate.domain.pools.pause import PoolPause
    from timegate.usecases.services.dag_start_services import Starting

#: A message stays hidden this much longer than its lease lives, so that the worker that receives it
#: again finds the lease expired.
VISIBILITY_MARGIN = timedelta(seconds=5)
#: Shortening a message's invisibility costs a call; it is worth one from this much on.
WORTH_HIDING = timedelta(seconds=15)


class NoMessages:
    """The inbox of runs that come without a message: their records let others take over."""

    def hide(self, receipts: Sequence[str], *, seconds: int) -> None:
        """Do nothing: there is no message to hide."""

    def acknowledge(self, receipts: Sequence[str]) -> None:
        """Nor any to delete."""


@dataclass(frozen=True, kw_only=True, slots=True)
class MessageSource:
    """The queue that feeds an executor, from which it takes messages itself as well."""

    #: Receives at most so many, hidden for so many seconds.
    receive: Callable[[int, int], Sequence["Delivery"]]
    #: Most runs in the process at once.
    most_runs: int
    #: A run that is received later might not have its whole time.
    until: datetime


@dataclass(frozen=True, kw_only=True, slots=True)
class Execution:
    """One invocation of an executor."""

    runs: RunStore
    slots: SlotStore
    rates: RateStore
    blobs: BlobStore
    calendars: CalendarsAtHand
    inbox: Inbox
    call_runner: CallRunner
    clock: Clock
    telemetry: Telemetry
    #: This worker, as written into leases.
    owner: str
    lease_length: timedelta
    #: How long the queue hides a received message by itself.
    visibility: timedelta
    received_at: datetime
    #: Unfinished calls are handed back then: the invocation is about to end.
    stops_at: datetime
    #: Makes the keys with which tokens of leases are signed, where the work is done outside.
    new_lease_key: Callable[[], str]
    #: Builds what starts DAG runs; ``None``: workers of pools start none.
    starting: "Callable[[], Starting] | None" = None
    #: Pool whose offered runs it claims; ``None``: runs that come through a queue.
    pool: str | None = None
    #: The last pause of that pool, which is over; ``None``: none is known.
    pool_pause: "PoolPause | None" = None
    #: How long runs of jobs with a deadline take.
    durations: DurationsAtHand = field(default_factory=DurationsAtHand)
    #: Where people read of runs; empty: the stage has no console.
    console_url: str = ""
    #: Tells the end of the time in which runs may begin in this region; ``None``: it has none.
    #: A fence or a renewal moves it while an invocation works.
    begins_until: Callable[[], datetime | None] = lambda: None
    #: ``None``: it executes what it was invoked with, and no more.
    source: MessageSource | None = None
    #: Follows the end of a task until an instant, and claims the next one of the line, if there is
    #: one to be executed here; ``None``: outcomes follows all ends.
    next_task: "Callable[[Attempt, Execution, datetime], Claimed | None] | None" = None

    def without_message(self) -> "Execution":
        """For a run that begins here without a message: its lease alone protects it."""
        visibility = self.lease_length + VISIBILITY_MARGIN
        return replace(
            self, inbox=NoMessages(), received_at=self.clock.now(), visibility=visibility
        )

    def must_stop(self, now: datetime) -> bool:
        """This worker has no time left, or its process is being stopped."""
        return now >= self.stops_at or self.call_runner.closing

    def may_begin(self, due_at: datetime, *, now: datetime) -> bool:
        """Tell if a run begins in the time of this region."""
        until = self.begins_until()
        return until is None or max(due_at, now) < until

    @property
    def heartbeat_interval(self) -> timedelta:
        """Two heartbeats may be lost before the lease expires."""
        return self.lease_length / 3

    @property
    def shortens_visibility(self) -> bool:
        """A dead worker's message would stay hidden much longer than its lease."""
        return self.visibility - self.lease_length - VISIBILITY_MARGIN > WORTH_HIDING

    def lease(self, fence: int, *, now: datetime, deadline_at: datetime) -> Lease:
        """A new lease: it ends before the message shows itself again."""
        expires_at = now + self.lease_length
        if not self.shortens_visibility:
            hidden_until = self.received_at + self.visibility
            expires_at = min(expires_at, hidden_until - VISIBILITY_MARGIN / 2)
        return Lease(
            owner=self.owner,
            fence=fence,
            expires_at=expires_at,
            deadline_at=deadline_at,
            length=self.lease_length,
        )

    def shown_soon(self, receipts: Sequence[str]) -> "Execution":
        """For messages just received: should this worker die before a claim, they come back soon.

        On a queue whose visibility is hardly longer than a lease they do so by themselves.
        """
        return self.received_now(receipts) if self.shortens_visibility else self

    def with_whole_lease(self, receipts: Sequence[str]) -> "Execution":
        """For messages about to be claimed: hidden anew where a lease would be cut short."""
        hidden_until = self.received_at + self.visibility - VISIBILITY_MARGIN / 2
        is_whole = hidden_until >= self.clock.now() + self.lease_length
        return self if is_whole else self.received_now(receipts)

    def received_now(self, receipts: Sequence[str]) -> "Execution":
        """For messages whose turn comes late: hidden anew, so that their leases are whole ones."""
        self.keep_hidden(receipts)
        visibility = self.lease_length + VISIBILITY_MARGIN
        return replace(self, received_at=self.clock.now(), visibility=visibility)

    def receiving_now(self) -> "Execution":
        """For messages about to be received: should this worker die, they come back soon."""
        visibility = self.visibility
        if self.shortens_visibility:
            visibility = self.lease_length + VISIBILITY_MARGIN
        return replace(self, received_at=self.clock.now(), visibility=visibility)

    def keep_hidden(self, receipts: Sequence[str]) -> None:
        """Hide messages for a lease from now, and the margin."""
        seconds = (self.lease_length + VISIBILITY_MARGIN).total_seconds()
        self.inbox.hide(receipts, seconds=round(seconds))


@dataclass(frozen=True, kw_only=True, slots=True)
class Delivery:
    """A message as received."""

    message: RunMessage
    #: How the batch response names it.
    id: str
    #: How the queue knows this receipt of it.
    receipt: str
    #: By the queue's clock; ``None``: there is no message.
    sent_at: datetime | None = None


def of_delivery(delivery: Delivery, attempt: Attempt | None) -> dict[str, object]:
    """Name a delivered attempt and its trace; without its record, which has it, no trace."""
    if attempt is not None:
        return of_run(attempt)
    message = delivery.message
    return {"tenant_id": message.tenant, "attempt_id": str(message.attempt)}


@dataclass(frozen=True, kw_only=True, slots=True)
class Claimed:
    """A run this worker holds."""

    delivery: Delivery
    attempt: Attempt
    job: Job
    lease: Lease

    @property
    def runs_once(self) -> bool:
        """It is never executed again, whatever becomes of this worker."""
        return self.job.delivery is DeliveryMode.AT_MOST_ONCE

    @property
    def link(self) -> "LinkTerms | None":
        """Return the link that its message has a place for; ``None``: it has none."""
        if f"-{Occasion.NEEDS_DECISION}-" not in self.attempt.id.run.about:
            return None
        # Imported here: few messages are about approvals.
        from timegate.domain.approvals.link import terms_in  # noqa: PLC0415

        return terms_in(self.attempt.notice or "{}", self.attempt.tenant)

    @property
    def keeps_answers(self) -> bool:
        """An answer that is on record for its run is never asked for again."""
        return self.job.delivery is DeliveryMode.EXACTLY_ONCE
