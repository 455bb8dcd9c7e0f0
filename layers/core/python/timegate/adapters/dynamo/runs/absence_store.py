"""Watches over jobs that are to succeed within a span, as looks change them."""

from collections.abc import Iterator, Sequence
from datetime import datetime

from timegate.adapters.dynamo.jobs.absence_items import (
    has_ended,
    placed_fields,
    watch_fields,
    watch_from_fields,
)
from timegate.adapters.dynamo.runs.items.notice_inserts import NoticeInserts
from timegate.adapters.dynamo.runs.run_queries import successes
from timegate.adapters.dynamo.tables.engine import Engine
from timegate.adapters.dynamo.tables.keys import LOOK_DONE, absence_key
from timegate.adapters.dynamo.tables.transactions import write_with
from timegate.adapters.dynamo.tables.values import Plain
from timegate.adapters.dynamo.tables.writes import Update
from timegate.domain.jobs.rules.absence_watch import AbsenceWatch
from timegate.domain.runs.run import Attempt
from timegate.domain.values.identity import AbsenceRef, JobId
from timegate.domain.values.instant_range import InstantRange
from timegate.domain.values.tenant import TenantId


class DynamoAbsenceStore:
    """The one write of a look: the watch is as it was read, or nothing is stored."""

    def __init__(
        self, engine: Engine, *, jobs_table: str, runs_table: str, notices: NoticeInserts
    ) -> None:
        self._engine = engine
        self._jobs = jobs_table
        self._runs = runs_table
        self._notices = notices

    def watch(self, ref: AbsenceRef) -> AbsenceWatch | None:
        """The watch over a job; ``None``: it is awaited no more."""
        found = self._engine.get(self._jobs, absence_key(ref.tenant, ref.job_id))
        return None if found is None or has_ended(found) else watch_from_fields(found)

    def looked(
        self,
        before: AbsenceWatch,
        after: AbsenceWatch,
        notices: Sequence[Attempt],
        *,
        next_look: datetime,
    ) -> bool:
        """Store what a look found, with the runs that tell of it: all of it, or nothing."""
        update = self._update(before, {**watch_fields(after), **placed_fields(next_look)})
        return write_with(self._engine, update, self._notices.of(notices))

    def successes(
        self, tenant: TenantId, job_id: JobId, *, within: InstantRange
    ) -> Iterator[Attempt]:
        """Yield runs of a job that are named within and succeeded, latest instant first."""
        return successes(self._engine, self._runs, tenant, job_id, within=within)

    def rest(self, watch: AbsenceWatch) -> bool:
        """Take the watch out of the index ``due``."""
        return self._engine.write(self._update(watch, {"due_bucket": None, "due_at": None})).done

    def _update(self, before: AbsenceWatch, fields: dict[str, Plain]) -> Update:
        return Update(
            table=self._jobs,
            key=absence_key(before.ref.tenant, before.ref.job_id),
            fields={**fields, "step": before.step + 1, "look": LOOK_DONE},
            where={"version": before.version, "step": before.step},
        )
