"""What the operator works with."""

from dataclasses import dataclass

from timegate.ports.audit_trail import Trail
from timegate.ports.dead_letters import DeadLetterStore
from timegate.ports.operations import OperationStore
from timegate.ports.stores import JobStore, RunStore
from timegate.ports.surroundings import Clock, Telemetry
from timegate.usecases.services.planner_services import Scheduling


@dataclass(frozen=True, kw_only=True, slots=True)
class Operating:
    """Stores and telemetry are those of ``scheduling``."""

    scheduling: Scheduling
    operations: OperationStore
    dead_letters: DeadLetterStore
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
        """What happened."""
        return self.scheduling.runs

    @property
    def telemetry(self) -> Telemetry:
        """One event per decision."""
        return self.scheduling.telemetry
