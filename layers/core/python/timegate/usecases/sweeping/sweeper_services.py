"""Services that the sweeper works with."""

from collections.abc import Callable
from dataclasses import field
from datetime import datetime

from timegate.ports.dag_runs import DagRunStore
from timegate.ports.dispatch.cursors import CursorStore
from timegate.ports.dispatch.looks import Backlog, RuleLooks
from timegate.ports.limits.slots import SlotStore
from timegate.ports.operations.operation_store import OperationStore
from timegate.ports.pools import PoolStore
from timegate.ports.stores import RunStore
from timegate.ports.telemetry.telemetry import Telemetry
from timegate.usecases.services.durations_at_hand import DurationsAtHand
from timegate.value_classes import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class Sweeping:
    """Stores and settings of the sweeper. It cannot publish: it writes, and the stream goes on."""

    runs: RunStore
    slots: SlotStore
    cursors: CursorStore
    operations: OperationStore
    #: Which tenants' rules are due for a look.
    rules: RuleLooks
    dag_runs: DagRunStore
    backlog: Backlog
    #: Workers that pools have seen.
    pools: PoolStore
    telemetry: Telemetry
    #: How long runs of jobs with a deadline take.
    durations: DurationsAtHand = field(default_factory=DurationsAtHand)
    #: Up to then the stage's other region may have begun runs; ``None``: it has no other.
    lost_until: Callable[[], datetime | None] = lambda: None
