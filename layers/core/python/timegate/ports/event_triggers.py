"""Event triggers, as the use cases see them."""

from datetime import datetime
from typing import Protocol

from timegate.domain.event_triggers.event_trigger import (
    EventTrigger,
    EventTriggerStatus,
    HookId,
    HookPlace,
)
from timegate.domain.values.secrets import SecretRef
from timegate.domain.values.tenant import TenantId
from timegate.ports.stores import NamedPage
from timegate.value_classes import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class EventTriggerPage(NamedPage[EventTrigger]):
    """Event triggers, and those between them whose records cannot be read."""


class EventTriggerStore(Protocol):
    """Event triggers, tenant by tenant. Raises ``Throttled`` everywhere."""

    def put(
        self, tenant: TenantId, trigger: EventTrigger, *, expected_version: int | None
    ) -> EventTrigger:
        """Store a trigger in place of the one of its name; returns it with its new version.

        It keeps the standing and the creation of the one that it replaces, and the address of its
        web hook. ``expected_version``: the version that it replaces, 0 if there must be none;
        ``None``: whatever there is. Raises ``EventTriggerVersionMismatch`` and
        ``TooManyEventTriggers``.
        """

    def set_status(
        self, tenant: TenantId, name: str, status: EventTriggerStatus, *, now: datetime
    ) -> EventTrigger:
        """Pause or resume a trigger; raises ``EventTriggerNotFound``."""

    def get(self, tenant: TenantId, name: str) -> EventTrigger:
        """A trigger, strongly consistent; raises ``EventTriggerNotFound``."""

    def delete(
        self, tenant: TenantId, name: str, *, expected_version: int | None, now: datetime
    ) -> EventTrigger:
        """Forget a trigger and the address of its web hook; returns it as it was.

        Raises ``EventTriggerNotFound`` and ``EventTriggerVersionMismatch``.
        """

    def all_of(self, tenant: TenantId) -> EventTriggerPage:
        """Every trigger of the tenant, by name: one query. A damaged one hides no other."""

    def page(self, tenant: TenantId, *, limit: int, cursor: str | None) -> EventTriggerPage:
        """The triggers of a tenant, by name; raises ``InvalidInput`` for a cursor that is none."""


class HookPlaces(Protocol):
    """Addresses of web hooks: the only thing that is looked up without a tenant."""

    def place_of(self, hook_id: HookId) -> HookPlace | None:
        """Return the trigger that an address was given to; ``None``: no such address exists."""


class HookSecrets(Protocol):
    """Secrets of web hooks, read with rights of their tenant."""

    def read(self, tenant: TenantId, secret: SecretRef) -> str:
        """Return a secret's text; raises ``HookUnavailable`` where it cannot be read."""


class KnownTriggers(Protocol):
    """Triggers that were read a moment ago."""

    def own(self, tenant: TenantId, *, now: datetime) -> EventTriggerPage:
        """The active triggers of a tenant's own events, as they are, or were ten seconds ago.

        Damaged ones may be of web hooks, or paused.
        """

    def forget(self, tenant: TenantId) -> None:
        """Forget a tenant's triggers, so that the next event reads them anew."""


class EventTriggering(Protocol):
    """Everything about event triggers; functions build each part when it is used first."""

    @property
    def store(self) -> EventTriggerStore:
        """The definitions."""

    @property
    def known(self) -> KnownTriggers:
        """Triggers that events are compared with."""

    @property
    def places(self) -> HookPlaces:
        """Addresses of web hooks."""

    @property
    def secrets(self) -> HookSecrets:
        """Keys of those who send messages to web hooks."""
