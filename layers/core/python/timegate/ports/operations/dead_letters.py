"""Dead letters and failed runs, as the use cases see them."""

from typing import Protocol

from timegate.domain.operations.dead_letter import DeadLetterFilter
from timegate.domain.runs.run import Attempt
from timegate.domain.values.instant_range import InstantRange
from timegate.domain.values.tenant import TenantId
from timegate.ports.stores import AttemptRef, Page


class DeadLetterStore(Protocol):
    """Attempts that were given up and wait to be settled, found by key.

    An attempt is among them from the write that ends it to the one that settles it, and that is
    one write each. Throttling raises ``Throttled`` everywhere.
    """

    def list_dead_letters(
        self, tenant: TenantId, wanted: DeadLetterFilter, *, limit: int, cursor: str | None
    ) -> Page[Attempt]:
        """A tenant's dead letters that match, newest first.

        One that was settled is not shown; one that is new may be shown a moment later. A page may
        be short, or empty, and not the last: so much is read for one, and no more. Raises
        ``InvalidInput`` for a cursor that is none of this listing.
        """

    def count_dead_letters(self, tenant: TenantId, *, most: int) -> int:
        """Count a tenant's dead letters as the index shows them, one beyond ``most`` at most."""

    def settle(self, before: Attempt, after: Attempt, *, opened: Attempt | None) -> bool:
        """Settle a dead letter, and store the attempt that opens its run again, or neither.

        ``after`` is ``before`` with its resolution. ``False``, with nothing written: another caller
        has settled it.
        """


class ListedRunStore(Protocol):
    """Attempts at runs of jobs that list all their runs, found by key.

    The write that stores an attempt puts it there, and no later one moves it. Throttling raises
    ``Throttled``.
    """

    def list_listed(
        self, tenant: TenantId, *, within: InstantRange, limit: int, cursor: str | None
    ) -> Page[AttemptRef]:
        """Attempts at a tenant's listed runs of instants within, the latest instant first.

        One that is new may be shown a moment later. Raises ``InvalidInput`` for a cursor that is
        none of this listing.
        """

    def cursor_after(self, last: AttemptRef) -> str:
        """The cursor that leads on from an attempt of this listing."""


class FailureStore(Protocol):
    """Last attempts of a tenant's runs that were to happen and did not succeed, found by key.

    The write that ends an attempt puts it there. Throttling raises ``Throttled``.
    """

    def list_failures(
        self, tenant: TenantId, *, within: InstantRange, limit: int, cursor: str | None
    ) -> Page[AttemptRef]:
        """A tenant's failures that ended within, the latest end first.

        One that is new may be shown a moment later. Raises ``InvalidInput`` for a cursor that is
        none of this listing.
        """

    def failures_since(
        self,
        tenant: TenantId,
        *,
        within: InstantRange,
        limit: int,
        after: str | None,
        late: bool = False,
    ) -> tuple[tuple[AttemptRef, ...], str | None]:
        """A tenant's failures that ended within, the earliest end first.

        ``late``: runs among them that were found to be late within. ``after``: those behind a
        place. Returns the place behind which others are.
        """
