"""Leases: who holds a run, and until when; and the way of a run to its lease."""

from datetime import datetime, timedelta

from timegate.value_classes import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class Lease:
    """A worker's time-bound exclusive claim; ``fence`` grows with every claim of the run."""

    owner: str
    fence: int
    expires_at: datetime
    #: The attempt is stopped then, however faithfully its worker heartbeats.
    deadline_at: datetime
    #: From then on the target held it itself, which had accepted the run.
    handed_over_at: datetime | None = None
    #: Each renewal by its worker makes it last so long from then on; ``None``: it does not say.
    length: timedelta | None = None
    #: Names of the concurrency keys whose slots its claim took. They stay, whatever is changed
    #: meanwhile of its job's overlap or its tenant's quota.
    slots: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Pickup:
    """Instants at which an attempt's message was sent and received, and the attempt claimed; and
    how many were claimed with it.
    """

    #: By the clock of the queue; ``None``: it was offered in a pool, which has no messages.
    published_at: datetime | None = None
    #: By an executor; ``None``: as above.
    received_at: datetime | None = None
    claimed_at: datetime
    #: Runs that were claimed by the same call, this one included: they share an invocation.
    batch: int = 1
    #: The end of a pause of its pool for which it waited; ``None``: it waited for none.
    paused_until: datetime | None = None
