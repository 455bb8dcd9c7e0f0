"""The audit trail, as stores write it and use cases read it."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Protocol

from timegate.domain.tenants.audit_trail import (
    AuditEntry,
    AuditFilter,
    Resource,
    ResourceKind,
    Stamp,
    changed_fields,
)
from timegate.domain.values.tenant import TenantId
from timegate.ports.stores import NamedPage
from timegate.value_classes import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class AuditPage(NamedPage[AuditEntry]):
    """Entries, and those between them that cannot be read."""


class Trail:
    """On whose behalf this process changes things now.

    A process serves one request, or makes one step, at a time; threads that help with it share
    this. Without a stamp nothing is recorded: planners and executors change nothing for callers.
    """

    def __init__(self, *, retention: timedelta, stamp: Stamp | None = None) -> None:
        """``stamp``: of a process that makes one command's changes, and no others."""
        self.retention = retention
        self._stamp = stamp

    @contextmanager
    def on_behalf_of(self, stamp: Stamp) -> Iterator[None]:
        """Record every change meanwhile under this stamp."""
        self._stamp = stamp
        try:
            yield
        finally:
            self._stamp = None

    def entry(
        self,
        tenant: TenantId,
        resource: tuple[ResourceKind, str],
        *,
        before: object | None,
        after: object | None,
        version: int | None = None,
    ) -> AuditEntry | None:
        """Return the entry that is stored with a change; ``None``: no caller asked for the
        change.
        """
        if self._stamp is None:
            return None
        kind, name = resource
        return AuditEntry(
            tenant=tenant,
            resource=Resource(kind=kind, id=name),
            stamp=self._stamp,
            changes=changed_fields(before, after),
            version=version,
        )

    def expiry(self, entry: AuditEntry) -> datetime:
        """Until when it is kept."""
        return entry.stamp.at + self.retention


class AuditStore(Protocol):
    """Reads the trail. Raises ``Throttled``."""

    def list_entries(
        self, tenant: TenantId, wanted: AuditFilter, *, limit: int, cursor: str | None
    ) -> AuditPage:
        """Entries that match, latest first; a page may hold fewer than there are.

        Raises ``InvalidInput`` for a cursor that is none of this listing.
        """
