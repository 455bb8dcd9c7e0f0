"""Shared steps of a batch: a step that fails for one tenant is put off for that tenant alone."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import field
from typing import Protocol, TypeVar

from timegate.domain.values.errors import Throttled
from timegate.domain.values.tenant import TenantId
from timegate.usecases.services.execution_services import Delivery
from timegate.value_classes import dataclass


class MessageBound(Protocol):
    """Anything that stands for one message."""

    @property
    def delivery(self) -> Delivery:
        """The message."""


One = TypeVar("One", bound=MessageBound)
Done = TypeVar("Done")


@dataclass(frozen=True, kw_only=True, slots=True)
class FailedMessages:
    """Messages whose step failed; nothing of them is held."""

    deliveries: tuple[Delivery, ...]
    error: Exception


@dataclass(slots=True)
class FailureCollector:
    """Collects what failed in a batch, so that the others go on."""

    found: list[FailedMessages] = field(default_factory=list)

    @contextmanager
    def keep(self, members: Sequence[MessageBound]) -> Iterator[None]:
        """Note an error for these members instead of raising it."""
        try:
            yield
        except Exception as error:  # noqa: BLE001 - the caller handles or raises it at the end
            deliveries = tuple(member.delivery for member in members)
            self.found.append(FailedMessages(deliveries=deliveries, error=error))


def by_tenant(members: Sequence[One]) -> list[list[One]]:
    """Split members by tenant; each group keeps their order."""
    groups: dict[TenantId, list[One]] = defaultdict(list)
    for member in members:
        groups[member.delivery.message.tenant].append(member)
    return list(groups.values())


def each_tenant(
    members: Sequence[One], step: Callable[[list[One]], Sequence[Done]], failures: FailureCollector
) -> list[Done]:
    """Do a step for each tenant by itself; a tenant whose step fails is noted and left out."""
    done: list[Done] = []
    for group in by_tenant(members):
        with failures.keep(group):
            done += step(group)
    return done


def all_tenants(
    members: Sequence[One], step: Callable[[list[One]], Sequence[Done]], failures: FailureCollector
) -> list[Done]:
    """Do a step for all members in one call; a throttled call is repeated for each tenant.

    The step must recognise its own earlier writes.
    """
    if not members:
        return []
    with failures.keep(members):
        try:
            return list(step(list(members)))
        except Throttled:
            if len(by_tenant(members)) == 1:
                raise
            return each_tenant(members, step, failures)
    return []
