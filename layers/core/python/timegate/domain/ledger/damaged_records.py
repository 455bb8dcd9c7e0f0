"""Records of instants that are there, and that cannot be read until operators have repaired them.

Where they lie is in their keys, and keys cannot be changed: of a run its instant and its number,
of a gap its last instant. A reader of many records goes on around them.
"""

from datetime import datetime
from enum import StrEnum
from typing import TypeAlias

from timegate.domain.ledger.ledger import Gap
from timegate.domain.runs.run import Attempt
from timegate.domain.values.errors import Malformed
from timegate.domain.values.identity import AttemptId, JobId
from timegate.domain.values.tenant import TenantId
from timegate.value_classes import dataclass


class DamageCode(StrEnum):
    """Kinds of damaged records; stable."""

    RUN = "run_damaged"
    GAP = "gap_damaged"


@dataclass(frozen=True, kw_only=True, slots=True)
class DamagedRun:
    """A run whose last attempt cannot be read."""

    tenant: TenantId
    #: Id of that attempt.
    id: AttemptId
    #: Damage in words, for operators.
    reason: str


@dataclass(frozen=True, kw_only=True, slots=True)
class DamagedGap:
    """A gap that cannot be read."""

    tenant: TenantId
    job_id: JobId
    #: Its own first instant, or ``last`` if that cannot be read either.
    first: datetime
    first_is_known: bool
    last: datetime
    #: The version of the job whose schedule named its instants.
    job_version: int
    #: Damage in words, for operators.
    reason: str


#: The last attempt at a run.
RunRecord: TypeAlias = Attempt | DamagedRun
GapRecord: TypeAlias = Gap | DamagedGap
DamagedRecord: TypeAlias = DamagedRun | DamagedGap


class RunDamaged(Malformed):
    """The run is there, and one of its attempts cannot be read until operators repaired it."""

    code = "run_damaged"

    def __init__(self, run_id: str, attempt: str, reason: str) -> None:
        super().__init__(f"The record of run {run_id} cannot be read; operators must repair it.")
        #: Which attempt it is, and what is wrong with it: for them, not for callers.
        self.attempt = attempt
        self.reason = reason
