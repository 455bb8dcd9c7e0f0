"""Reading a job's ledger: what became of its instants, one after the other."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from itertools import islice, takewhile

from timegate.domain.jobs.job import Timing
from timegate.domain.ledger.damaged_records import DamagedGap, GapRecord, RunRecord
from timegate.domain.ledger.gap_parts import around, part_of
from timegate.domain.ledger.ledger_reading import (
    LedgerRange,
    Position,
    Record,
    check_range,
    cursor_behind,
    joined,
)
from timegate.domain.runs.finishing import with_finish
from timegate.domain.runs.run import Attempt
from timegate.domain.values.identity import JobId
from timegate.domain.values.instants import MILLISECOND
from timegate.domain.values.tenant import TenantId
from timegate.ports.stores import Page
from timegate.usecases.ledger.gaps_on_record import gaps_on_record
from timegate.usecases.ledger.runs_on_record import runs_on_record
from timegate.usecases.services.api_services import ApiServices
from timegate.usecases.services.damage_report import tell_of_damaged_records
from timegate.value_classes import dataclass

#: Gaps that touch are shown as one, and there may be many: one request reads no more than these.
MAX_RECORDS_READ = 2_000


def read_ledger(
    tenant: TenantId,
    job_id: JobId,
    wanted: LedgerRange,
    services: ApiServices,
    *,
    limit: int,
    cursor: str | None,
) -> Page[Record]:
    """The records of the schedule's instants in a range, earliest first, at most ``limit``.

    A gap that reaches into the range is shown whole, as far as no run lies in it: a run that came
    later is the record of its instant. Damaged records are among them. Raises ``JobNotFound``, and
    ``InvalidInput`` for a range or a cursor that is none.
    """
    check_range(wanted)
    job = services.jobs.get(tenant, job_id)
    timing = job.timing
    position = Position.at_start(wanted)
    if cursor is not None:
        position = Position.from_cursor(cursor, job_id, wanted)
    reading = _Reading(timing=timing, wanted=wanted, services=services, page_size=limit + 1)
    lower = wanted.start if cursor is None else position.runs_from
    gaps = reading.parts(reading.gaps(position), lower, goes_on=cursor is not None)
    records = around(reading.runs(position), gaps, timing)
    page = _page(islice(records, MAX_RECORDS_READ + 1), timing, limit)
    tell_of_damaged_records(page.rows, services.telemetry)
    rows = (with_finish(each, job) if isinstance(each, Attempt) else each for each in page.rows)
    return replace(page, rows=tuple(rows))


def _page(records: Iterator[Record], timing: Timing, limit: int) -> Page[Record]:
    shown: list[Record] = []
    for number, record in enumerate(records):
        one = joined(shown[-1], record, timing) if shown else None
        if number == MAX_RECORDS_READ or (one is None and len(shown) == limit):
            return Page(rows=tuple(shown), cursor=cursor_behind(shown[-1], timing.job_id))
        if one is None:
            shown.append(record)
        else:
            shown[-1] = one
    return Page(rows=tuple(shown), cursor=None)


@dataclass(frozen=True, kw_only=True, slots=True)
class _Reading:
    """The two kinds of records of a range, read page by page as they are taken."""

    timing: Timing
    wanted: LedgerRange
    services: ApiServices
    page_size: int

    def runs(self, position: Position) -> Iterator[RunRecord]:
        """The last attempts at the runs, in order."""
        return runs_on_record(
            self.timing,
            self.services.runs,
            start=position.runs_from,
            end=self.wanted.end,
            page_size=self.page_size,
        )

    def gaps(self, position: Position) -> Iterator[GapRecord]:
        """The gaps that reach into the range, in order."""
        gaps = gaps_on_record(
            self.timing, self.services.jobs, since=position.gaps_from, page_size=self.page_size
        )
        return takewhile(lambda gap: gap.first <= self.wanted.end, gaps)

    def parts(
        self, gaps: Iterator[GapRecord], lower: datetime, *, goes_on: bool
    ) -> Iterator[GapRecord]:
        """The gaps as far as this page may show them.

        ``goes_on``: what lies below ``lower`` was shown on the page before.
        """
        upper = self.wanted.end
        for gap in gaps:
            if isinstance(gap, DamagedGap):
                yield gap
                continue
            first = last = None
            if gap.first < lower and (goes_on or self._has_run(gap.first, lower - MILLISECOND)):
                first = lower
            if gap.last > upper and self._has_run(upper + MILLISECOND, gap.last):
                last = upper
            part = part_of(gap, self.timing, first=first, last=last) if first or last else gap
            if part is not None:
                yield part

    def _has_run(self, start: datetime, end: datetime) -> bool:
        tenant, job_id = self.timing.tenant, self.timing.job_id
        return bool(self.services.runs.history(tenant, job_id, start=start, end=end, limit=1))
