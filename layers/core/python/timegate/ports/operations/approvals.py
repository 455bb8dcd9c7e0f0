"""Approvals that wait, as the use cases see them."""

from typing import Protocol

from timegate.domain.operations.waiting_approvals import WaitingApproval
from timegate.domain.values.tenant import TenantId
from timegate.ports.stores import NamedPage
from timegate.value_classes import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class ApprovalPage(NamedPage[WaitingApproval]):
    """Approvals that wait, and tasks between them whose records cannot be read."""


class ApprovalStore(Protocol):
    """Tasks that wait for a person, found by key.

    The write that starts the wait puts a task there, and the one that ends it takes it out.
    Throttling raises ``Throttled``.
    """

    def list_waiting(self, tenant: TenantId, *, limit: int, cursor: str | None) -> ApprovalPage:
        """A tenant's approvals that wait, the latest begin first.

        One that has ended is not shown; one that has just begun may be shown a moment later. A page
        may be short, or empty, and not the last. Raises ``InvalidInput`` for a cursor that is none
        of this listing.
        """
