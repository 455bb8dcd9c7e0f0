"""Findings of the audit. ``docs/operations/runbooks.md`` has a line for each stable code."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from timegate.domain.values.identity import JobId
from timegate.domain.values.tenant import TenantId


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
    #: Of which instants, in order; none where the job itself is concerned.
    instants: tuple[datetime, ...] = ()

    @property
    def count(self) -> int:
        """Count the instants or records concerned."""
        return max(len(self.instants), 1)
