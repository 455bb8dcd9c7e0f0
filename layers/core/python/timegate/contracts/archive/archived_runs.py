"""Queries of the archive."""

from datetime import date

from pydantic import Field

from timegate.contracts.values.queries import JobReference, PageQuery
from timegate.domain.archive.archived_run import ArchiveFilter
from timegate.domain.runs.run import RunState
from timegate.domain.values.identity import JobId


class ArchivedRunsQuery(PageQuery):
    """Filter of archived runs; every criterion that is given must hold."""

    first: date | None = Field(
        None, alias="from", description="Only runs that ended on that day (UTC), or later."
    )
    last: date | None = Field(
        None, alias="to", description="Only runs that ended on that day (UTC), or earlier."
    )
    job_id: JobReference | None = Field(None, description="Only runs of this job.")
    state: RunState | None = Field(None, description="Only runs that ended so.")

    def to_filter(self) -> ArchiveFilter:
        """Return the use case's argument; may raise ``InvalidInput``."""
        job_id = JobId(self.job_id) if self.job_id is not None else None
        return ArchiveFilter(first=self.first, last=self.last, job_id=job_id, state=self.state)
