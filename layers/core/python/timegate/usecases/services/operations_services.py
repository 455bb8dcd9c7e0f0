"""Services of steps of operations."""

from timegate.ports.clock import Clock
from timegate.ports.limits.slots import SlotStore
from timegate.ports.operations.dead_letters import DeadLetterStore, FailureStore
from timegate.ports.operations.operation_store import OperationStore
from timegate.ports.stores import JobStore, RunStore
from timegate.ports.telemetry.telemetry import Telemetry
from timegate.ports.tenants.audit_trail import Trail
from timegate.usecases.services.planner_services import Scheduling
from timegate.value_classes import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class Operating:
    """Stores and telemetry are those of ``scheduling``."""

    scheduling: Scheduling
    operations: OperationStore
    dead_letters: DeadLetterStore
    failures: FailureStore
    #: Lines that rescheduled runs leave.
    slots: SlotStore
    clock: Clock
    #: On whose behalf the stores write.
    trail: Trail
    #: Jobs that are changed at once.
    workers: int = 8

    @property
    def jobs(self) -> JobStore:
        """The definitions."""
        return self.scheduling.jobs

    @property
    def runs(self) -> RunStore:
        """The store of runs."""
        return self.scheduling.runs

    @property
    def telemetry(self) -> Telemetry:
        """One event per decision."""
        return self.scheduling.telemetry
