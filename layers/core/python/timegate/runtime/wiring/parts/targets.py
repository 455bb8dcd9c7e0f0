"""Wiring of the targets: clients that act for tenants, and the calls of every kind."""

from functools import cached_property
from typing import Any

from botocore.session import Session

from timegate.adapters.targets.action_target import TargetServices
from timegate.adapters.targets.aws.tenant_sessions import TenantSessions, tenant_session
from timegate.adapters.targets.router import TargetRouter
from timegate.adapters.threaded_call_runner import ThreadedCallRunner
from timegate.ports.clock import Clock
from timegate.runtime import clients
from timegate.runtime.settings import Targets
from timegate.runtime.wiring.parts.target_rules import target_rules


class TenantClients:
    """Clients that act for the tenant whose run it is, with a session of the targets' role."""

    def __init__(self, clock: Clock, *, role_arn: str) -> None:
        self._now = clock.now
        self._sessions = TenantSessions(clients.sts, clock, role_arn=role_arn)

    @cached_property
    def _session(self) -> Session:
        return tenant_session(self._sessions)

    def client(self, service: str, /, *, waits: bool = False, region: str | None = None) -> Any:  # noqa: ANN401 - any client
        """Build a client. ``waits``: its calls last as long as a run; none is repeated.

        ``region``: where its calls go; ``None``: to the stage's own region.
        """
        return clients.target(self._session, service, now=self._now, waits=waits, region=region)


def target_call_runner(
    targets: Targets, clock: Clock, *, api_url: str, role_arn: str, trace_percent: float
) -> ThreadedCallRunner:
    """Calls of every kind of target; none of their clients is built yet."""
    services = TargetServices(
        rules=target_rules(targets, role_arn=role_arn),
        clients=TenantClients(clock, role_arn=role_arn),
        clock=clock,
        api_url=api_url,
        trace_percent=trace_percent,
    )
    return ThreadedCallRunner(TargetRouter(services), clock)
