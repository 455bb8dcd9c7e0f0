"""From an action to the target that does it."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import cached_property
from importlib import import_module
from threading import Lock
from typing import TYPE_CHECKING

from timegate.adapters.targets.action_target import ActionTarget, ClientsOfRegion, TargetServices
from timegate.adapters.targets.aws.tenant_sessions import acting_for
from timegate.adapters.targets.failures import permanent
from timegate.domain.actions.action import Action
from timegate.domain.actions.kind import ActionKind
from timegate.domain.execution.call import Answer, Call
from timegate.ports.call_runner import TargetFailed

if TYPE_CHECKING:
    from timegate.adapters.targets.linked_calls import LinkedCalls

_ROOM = "timegate.adapters.targets.kinds"


class TargetRouter:
    """Every kind of target. A kind's module is imported, and its client built, at its first call.

    Each costs memory and start-up time. A kind has one client for each region that it is called
    in, for all tenants; the stage's operator allows so many regions and no more.
    """

    def __init__(self, services: TargetServices) -> None:
        self._services = services
        self._targets: dict[tuple[str, str | None], ActionTarget] = {}
        self._building = Lock()

    def invoke(self, call: Call) -> Answer:
        """Do the call within its deadline; raises ``TargetFailed``, classified."""
        call = self._with_flag(call)
        with self._acting(call):
            target = self.target(call.action)
            if call.link is not None:
                return self._linked.invoke(call, call.link, target)
            return target.invoke(call, call.action)

    @cached_property
    def _linked(self) -> "LinkedCalls":
        # Imported at the first message with a link.
        from timegate.adapters.targets.linked_calls import LinkedCalls  # noqa: PLC0415

        return LinkedCalls(self._services)

    def stop(self, call: Call) -> None:
        """End what the run's call left; raises ``TargetFailed``."""
        call = self._with_flag(call)
        with self._acting(call):
            self.target(call.action).stop(call, call.action)

    def _with_flag(self, call: Call) -> Call:
        """Give a call what decides if the spans of its trace are recorded."""
        return replace(call, trace_percent=self._services.trace_percent)

    def target(self, action: Action) -> ActionTarget:
        """Return the target of an action's kind; raises ``ValueError`` for Timegate's own kinds."""
        if not action.is_called:
            # usecases/execution/claims/claim_runs.py and usecases/dag_runs/starting/do_run.py.
            raise ValueError("offers in pools, and DAG runs, have no target")
        key = (action.type, self._services.rules.other_region(action.place))
        with self._building:
            found = self._targets.get(key)
            if found is None:
                module = import_module(f"{_ROOM}.{file_name(type(action))}")
                found = self._targets[key] = module.build(self._services_in(key[1]))
        return found

    def _services_in(self, region: str | None) -> TargetServices:
        """Return the services that a target of a region is built with; ``None``: the own one."""
        if region is None:
            return self._services
        clients = ClientsOfRegion(clients=self._services.clients, of_region=region)
        return replace(self._services, clients=clients)

    @contextmanager
    def _acting(self, call: Call) -> Iterator[None]:
        """Act for the tenant; failures of calls to another region name it.

        Raises ``TargetFailed`` before a place is called that the stage does not reach (any more).
        """
        rules, action = self._services.rules, call.action
        objection = action.objection(rules)
        if objection is not None:
            raise permanent(objection.code, "NotAllowed", objection.detail)
        region = rules.other_region(action.place)
        with acting_for(call.tenant):
            try:
                yield
            except TargetFailed as failed:
                if region is None:
                    raise
                message = f"In {region}: {failed.failure.message}"
                raise TargetFailed(replace(failed.failure, message=message)) from failed


def file_name(kind: type[ActionKind]) -> str:
    """Return the file name of a kind, which its target has as well."""
    return kind.__module__.rpartition(".")[2]
