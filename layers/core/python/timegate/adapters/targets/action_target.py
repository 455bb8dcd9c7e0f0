"""The target of one kind of action, and the services that it is built with."""

from abc import ABC, abstractmethod
from typing import Any, Protocol

from timegate.domain.actions.target_rules import TargetRules
from timegate.domain.execution.call import Answer, Call
from timegate.ports.clock import Clock
from timegate.value_classes import dataclass


class Clients(Protocol):
    """Clients of the targets' services, which act for the tenant whose run it is."""

    def client(self, service: str, /, *, waits: bool = False, region: str | None = None) -> Any:  # noqa: ANN401 - any client
        """Build a client. ``waits``: its calls last as long as a run; none is repeated.

        ``region``: where its calls go; ``None``: to the stage's own region.
        """


@dataclass(frozen=True, kw_only=True, slots=True)
class ClientsOfRegion:
    """Clients whose calls go to one region."""

    clients: Clients
    of_region: str

    def client(self, service: str, /, *, waits: bool = False, region: str | None = None) -> Any:  # noqa: ANN401 - any client
        """Build a client of the region, unless another one is named."""
        return self.clients.client(service, waits=waits, region=region or self.of_region)


@dataclass(frozen=True, kw_only=True, slots=True)
class TargetServices:
    """The services that targets are built with."""

    rules: TargetRules
    clients: Clients
    clock: Clock
    #: Where targets report that work on by themselves.
    api_url: str
    #: Share of the stage's own traces that is recorded.
    trace_percent: float


class ActionTarget(ABC):
    """The target of one kind of action. Its module has ``build``, which takes services."""

    @abstractmethod
    def invoke(self, call: Call, action: Any) -> Answer:  # noqa: ANN401 - the kind's own type
        """Do the call within its deadline; raises ``TargetFailed``, classified."""

    def stop(self, call: Call, action: Any) -> None:  # noqa: ANN401, B027 - most leave nothing
        """End what the run began and left; raises ``TargetFailed``."""
