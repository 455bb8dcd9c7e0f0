"""Services of the worker API."""

from collections.abc import Callable
from dataclasses import field
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from timegate.domain.execution.call import Call
from timegate.domain.tenants.token_rules import TokenRules
from timegate.ports.blobs import BlobStore
from timegate.ports.call_runner import Work
from timegate.ports.clock import Clock
from timegate.ports.limits.rates import RateStore
from timegate.ports.limits.slots import SlotStore
from timegate.ports.pools import PoolStore
from timegate.ports.runs.logs import LogStore
from timegate.ports.stores import RunStore
from timegate.ports.telemetry.telemetry import Telemetry
from timegate.usecases.services.calendars_at_hand import CalendarsAtHand
from timegate.usecases.services.completions import Completions
from timegate.usecases.services.durations_at_hand import DurationsAtHand
from timegate.usecases.services.execution_services import Execution, NoMessages
from timegate.value_classes import dataclass

if TYPE_CHECKING:
    from timegate.ports.dispatch.regions import RegionGuard
    from timegate.ports.tenants.api_key_store import KeyRing

#: Nothing here ends while a worker works: its leases are its own to renew.
_NEVER = timedelta(days=1)


@dataclass(frozen=True, kw_only=True, slots=True)
class WorkerServices:
    """Built once per process."""

    runs: RunStore
    slots: SlotStore
    rates: RateStore
    blobs: BlobStore
    pools: PoolStore
    logs: LogStore
    calendars: CalendarsAtHand
    clock: Clock
    telemetry: Telemetry
    #: The token claim that names the tenant.
    tenant_claim: str
    #: Beginning of the names of a token's scopes.
    scope_prefix: str
    #: Rules of the tokens that count.
    token_rules: TokenRules
    #: Credentials of programs; built at the first request that carries one.
    keys_at_hand: "Callable[[], KeyRing]"
    #: How long a worker may be silent.
    lease_length: timedelta
    #: A fresh secret.
    new_lease_key: Callable[[], str]
    #: Share of the stage's own traces that is recorded.
    trace_percent: float = 100
    #: How long runs of jobs with a deadline take.
    durations: DurationsAtHand = field(default_factory=DurationsAtHand)
    #: ``None``: the stage has one region.
    region: "RegionGuard | None" = None
    #: The end of the time in which runs may begin in this region; ``None``: it has none.
    begins_until: Callable[[], datetime | None] = lambda: None

    def execution(
        self,
        *,
        owner: str,
        pool: str | None,
        now: datetime,
        lease_length: timedelta | None = None,
    ) -> Execution:
        """The executor's own decisions, for work that is done outside.

        ``lease_length``: of a target, which its job says; a worker's without.
        """
        return Execution(
            runs=self.runs,
            slots=self.slots,
            rates=self.rates,
            blobs=self.blobs,
            calendars=self.calendars,
            inbox=NoMessages(),
            call_runner=_CallRunnerOutside(),
            clock=self.clock,
            telemetry=self.telemetry,
            owner=owner,
            lease_length=lease_length or self.lease_length,
            # Hidden by nothing but its lease.
            visibility=_NEVER,
            received_at=now,
            stops_at=now + _NEVER,
            pool=pool,
            new_lease_key=self.new_lease_key,
            durations=self.durations,
            begins_until=self.begins_until,
        )

    def completions(self) -> Completions:
        """For one end, which waits for no other."""
        completions = Completions(self.runs, self.telemetry, window_seconds=0)
        completions.begin()
        return completions


class _CallRunnerOutside:
    """The work is a worker's, in a process of its own."""

    @property
    def closing(self) -> bool:
        """A worker says itself when it stops."""
        return False

    def start(self, call: Call) -> Work:
        """Nothing is called from here; raises ``ValueError``."""
        message = f"{call.attempt} is its worker's to do"
        raise ValueError(message)

    def stop(self, call: Call) -> None:
        """Nothing goes on without its worker."""
