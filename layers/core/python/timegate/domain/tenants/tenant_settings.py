"""Tenant settings: what the stage's administration says about one tenant."""

from dataclasses import field
from datetime import UTC, datetime
from enum import StrEnum

from timegate.domain.jobs.demands import ListRuns
from timegate.domain.limits.quotas import Quotas
from timegate.domain.restrictions.freeze import FreezeId
from timegate.domain.values.instants import rfc3339
from timegate.domain.values.tenant import TenantId
from timegate.value_classes import dataclass

#: Before every job.
EVER = datetime.min.replace(tzinfo=UTC)


class TenantStatus(StrEnum):
    """States of a tenant."""

    ACTIVE = "active"
    #: It reads what it has; it changes nothing, and nothing of it starts.
    SUSPENDED = "suspended"
    #: Nothing of it is left but its name, which is not given again.
    ERASED = "erased"


@dataclass(frozen=True, kw_only=True, slots=True)
class Suspension:
    """Reason and freeze of a tenant's suspension."""

    since: datetime
    freeze_id: FreezeId
    #: For people, the tenant's among them.
    reason: str = ""


class MoveState(StrEnum):
    """States of a move: the first two in the stage that a tenant leaves."""

    #: Nothing is planned from the cut-over on; until then all goes on.
    LEAVING = "leaving"
    #: Nothing is planned or changed any more; runs that exist go on.
    CLOSED = "closed"
    #: Its records come in, and nothing is planned.
    ARRIVING = "arriving"
    ARRIVED = "arrived"
    #: It stays where it was; what came in rests.
    WITHDRAWN = "withdrawn"


@dataclass(frozen=True, kw_only=True, slots=True)
class TenantMove:
    """A tenant's move between two stages, as one of them has it."""

    state: MoveState
    #: The other stage.
    stage: str
    #: The cut-over: earlier instants belong to the stage that the tenant leaves.
    at: datetime
    #: Since when it is in this state.
    since: datetime

    @property
    def words(self) -> str:
        """Return it in words."""
        came = self.state in {MoveState.ARRIVING, MoveState.ARRIVED}
        way = "from" if came else "to"
        return f"{self.state} {way} stage {self.stage}, with the cut-over at {rfc3339(self.at)}"

    def awaited_from(self, *, now: datetime) -> datetime | None:
        """Return since when jobs of the tenant are to succeed here; ``None``: elsewhere, or never.

        Those of a tenant that leaves, until its cut-over; of one that arrived, since it was opened.
        """
        match self.state:
            case MoveState.LEAVING:
                return EVER if now < self.at else None
            case MoveState.ARRIVED:
                return self.since
            case MoveState.CLOSED | MoveState.ARRIVING | MoveState.WITHDRAWN:
                return None

    @property
    def only_reads(self) -> bool:
        """Tell if the tenant changes nothing in this stage."""
        return self.state in {MoveState.CLOSED, MoveState.ARRIVING, MoveState.WITHDRAWN}


@dataclass(frozen=True, kw_only=True, slots=True)
class TenantSettings:
    """One tenant as the stage has it. A tenant without a record has the defaults, at version 0."""

    tenant: TenantId
    display_name: str = ""
    quotas: Quotas = field(default_factory=Quotas)
    suspension: Suspension | None = None
    #: ``None``: it has never moved.
    move: TenantMove | None = None
    #: Default for jobs that are created without the field; ``None``: they list those that fail.
    list_runs: ListRuns | None = None
    #: From then on it is refused everything, and its records are deleted.
    erased_at: datetime | None = None
    #: 0: nothing was ever set; every change raises it.
    version: int = 0
    created_at: datetime | None = None
    updated_at: datetime | None = None

    def awaited_from(self, *, now: datetime) -> datetime | None:
        """Return since when its jobs are to succeed here; ``None``: they are not."""
        if self.suspension is not None:
            return None
        return EVER if self.move is None else self.move.awaited_from(now=now)

    @property
    def status(self) -> TenantStatus:
        """The tenant's state."""
        if self.erased_at is not None:
            return TenantStatus.ERASED
        return TenantStatus.ACTIVE if self.suspension is None else TenantStatus.SUSPENDED
