"""What the API works with."""

from collections.abc import Callable
from dataclasses import dataclass

from timegate.domain.target_rules import TargetRules
from timegate.ports.restrictions import RestrictionStore
from timegate.ports.stores import BlobStore, JobStore, RunStore
from timegate.ports.surroundings import Clock, Telemetry
from timegate.usecases.materialise import Scheduling


@dataclass(frozen=True, kw_only=True, slots=True)
class ApiServices:
    """Built once per process; stores and telemetry are those of ``scheduling``."""

    scheduling: Scheduling
    blobs: BlobStore
    clock: Clock
    #: The token claim that names the tenant.
    tenant_claim: str
    target_rules: TargetRules
    #: Bytes nobody has seen before, for the id of a job created without an idempotency key.
    new_seed: Callable[[], bytes]

    @property
    def jobs(self) -> JobStore:
        """The definitions."""
        return self.scheduling.jobs

    @property
    def runs(self) -> RunStore:
        """What happened."""
        return self.scheduling.runs

    @property
    def restrictions(self) -> RestrictionStore:
        """The tenants' calendars and freezes."""
        return self.scheduling.restrictions

    @property
    def telemetry(self) -> Telemetry:
        """One event per decision."""
        return self.scheduling.telemetry
