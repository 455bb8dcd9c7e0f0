"""Worker pools, as claims and those who look at a pool see them."""

from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Protocol

from timegate.domain.jobs.demands import Priority
from timegate.domain.values.tenant import TenantId
from timegate.ports.stores import AttemptRef
from timegate.value_classes import dataclass

if TYPE_CHECKING:
    from timegate.domain.pools.pause import PoolPause

#: A worker that has not asked for work for so long is gone.
SEEN_WITHIN = timedelta(minutes=5)


@dataclass(frozen=True, kw_only=True, slots=True)
class Shelf:
    """The runs of one priority that a pool of a tenant offers."""

    tenant: TenantId
    pool: str
    priority: Priority


@dataclass(frozen=True, kw_only=True, slots=True)
class Offered:
    """A run that may be claimed from ``at`` on: due then, or its lease expires."""

    ref: AttemptRef
    at: datetime


@dataclass(frozen=True, kw_only=True, slots=True)
class Depth:
    """Number of runs that may be claimed now."""

    count: int
    #: There are more than were counted.
    is_partial: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class WorkerSeen:
    """A worker that asked for work."""

    worker: str
    seen_at: datetime
    #: Handlers that it has; empty: whatever the pool offers.
    handlers: tuple[str, ...]
    #: Runs that it can work on at once; ``None``: it did not say.
    capacity: int | None = None
    #: Runs that it worked on then; ``None``: it did not say.
    in_use: int | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Served:
    """Workers of one pool, and when any worker asked it last."""

    workers: Sequence[WorkerSeen]
    #: Within a day to half a minute, later to the hour; ``None``: not in 90 days.
    last_seen_at: datetime | None


@dataclass(frozen=True, kw_only=True, slots=True)
class Workers:
    """The workers of a tenant's pools that asked for work within a day."""

    by_pool: Mapping[str, Sequence[WorkerSeen]]
    #: When a worker asked each pool last, as in ``Served``.
    last_seen: Mapping[str, datetime]
    #: There are more than were looked at.
    is_partial: bool


class PoolStore(Protocol):
    """The offers of pools; eventually consistent: a claim decides. All raise ``Throttled``."""

    def offered(
        self, shelf: Shelf, *, until: datetime, limit: int, handlers: Collection[str] = ()
    ) -> list[Offered]:
        """The first runs that may be claimed by ``until``, soonest first, at least ``limit``.

        With ``handlers``: only those that they do.
        """

    def depth(self, shelf: Shelf, *, now: datetime) -> Depth:
        """Count the runs that may be claimed now."""

    def put_off(self, tenant: TenantId, offered: Offered, *, until: datetime) -> None:
        """Show an unreadable run at ``until`` again, changing nothing else."""

    def greet(self, tenant: TenantId, pool: str, seen: WorkerSeen) -> None:
        """Remember that a worker asked for work, and that its pool was served."""

    def served(self, tenant: TenantId, pool: str, *, since: datetime, now: datetime) -> Served:
        """Return the workers that asked since then, by name, a hundred at most.

        Ten megabytes of names of the last day are looked through.
        """

    def workers_of_tenant(self, tenant: TenantId, *, now: datetime) -> Workers:
        """Return the workers of all pools that asked within a day.

        Beyond a thousand, those that asked within ``SEEN_WITHIN``.
        """

    def pause(self, tenant: TenantId, pool: str) -> "PoolPause | None":
        """Return the pool's last pause, over or not, strongly consistent; ``None``: none is known.

        One whose record is damaged says so, and holds the pool unless its end can be read.
        """

    def pauses_of_tenant(
        self, tenant: TenantId, pools: Collection[str]
    ) -> "tuple[Mapping[str, PoolPause], bool]":
        """Return the last pause of these pools and of others, and if the tenant has still more.

        At most a thousand others.
        """

    def change_pause(
        self, tenant: TenantId, pool: str, decide: "Callable[[PoolPause | None], PoolPause | None]"
    ) -> "PoolPause | None":
        """Store what is decided about the pool's last pause, with its entry in the audit trail.

        Returns what is stored then. The same value, or none, changes nothing. ``decide`` is called
        again after a lost race.
        """
