"""Findings of the audit, and its last word on a share of its walk.

``docs/operations/runbooks.md`` has a line for each stable code.
"""

from dataclasses import replace
from datetime import datetime
from enum import StrEnum
from typing import Self

from timegate.domain.values.identity import JobId
from timegate.domain.values.tenant import TenantId
from timegate.value_classes import dataclass


class FindingCode(StrEnum):
    """Codes of findings."""

    #: An instant was to have a run or a gap, and has neither.
    INSTANT_UNRECORDED = "instant_unrecorded"
    #: An instant has passed, and no planner has come to it.
    INSTANT_OVERDUE = "instant_overdue"
    #: A job waits for an instant, and no planner can see it.
    JOB_NOT_INDEXED = "job_not_indexed"
    #: A job is not in the list of its tenant's.
    JOB_NOT_LISTED = "job_not_listed"
    #: Records of a job are there, and the job is not.
    JOB_MISSING = "job_missing"
    #: A run has not ended, and no sweeper can see it.
    RUN_NOT_WATCHED = "run_not_watched"

    @property
    def is_of_instants(self) -> bool:
        """It counts instants, and not records."""
        return self in {FindingCode.INSTANT_UNRECORDED, FindingCode.INSTANT_OVERDUE}


@dataclass(frozen=True, kw_only=True, slots=True)
class Finding:
    """One thing that is wrong with one job."""

    code: FindingCode
    tenant: TenantId
    job_id: JobId
    #: Its instants, in order; none if the finding is about the job itself.
    instants: tuple[datetime, ...] = ()

    @property
    def count(self) -> int:
        """Count the instants or records concerned."""
        return max(len(self.instants), 1)


@dataclass(frozen=True, kw_only=True, slots=True)
class AuditVerdict:
    """The last audit of a share, and the last one that found something missing."""

    at: datetime
    #: Instants that the last audit compared with their records.
    instants: int = 0
    #: When an audit found something missing last; ``None``: none did.
    found_at: datetime | None = None
    #: Instants that it found without a record or a rule.
    unaccounted: int = 0
    #: Jobs and runs that it found lost, or lost to an index.
    lost: int = 0

    @classmethod
    def of(cls, *, at: datetime, instants: int, unaccounted: int, lost: int) -> Self:
        """Return the verdict of one audit."""
        found_at = at if unaccounted or lost else None
        return cls(at=at, instants=instants, found_at=found_at, unaccounted=unaccounted, lost=lost)

    def following(self, before: Self | None) -> Self:
        """Return the verdict with what the one before it knew of findings."""
        if self.found_at is not None or before is None:
            return self
        return replace(
            self, found_at=before.found_at, unaccounted=before.unaccounted, lost=before.lost
        )
