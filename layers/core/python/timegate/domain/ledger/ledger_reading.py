"""Reading the ledger: its records in the order of instants, from page to page."""

import re
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Self, TypeAlias
from zlib import crc32

from timegate.domain.jobs.job import Timing
from timegate.domain.ledger.damaged_records import DamagedGap, GapRecord, RunRecord
from timegate.domain.ledger.ledger import Gap, Naming
from timegate.domain.recurrence.fires import next_instant
from timegate.domain.values.errors import InvalidInput
from timegate.domain.values.identity import JobId
from timegate.domain.values.instants import MILLISECOND, compact, from_compact
from timegate.value_classes import dataclass

MAX_DAYS = 366
_CURSOR = re.compile(r"(\d{8}T\d{9}Z)([rg])([0-9a-f]{8})", re.ASCII)

#: A run of the schedule, as its last attempt, or a gap; either may be damaged.
Record: TypeAlias = RunRecord | GapRecord


@dataclass(frozen=True, kw_only=True, slots=True)
class LedgerRange:
    """A range of a ledger; both ends belong to it."""

    start: datetime
    end: datetime


def check_range(wanted: LedgerRange) -> None:
    """Raise ``InvalidInput`` for a range that ends before it begins, or is too long."""
    if wanted.end < wanted.start:
        raise InvalidInput("to", "range_reversed", "It is earlier than from.")
    if wanted.end - wanted.start > timedelta(days=MAX_DAYS):
        raise InvalidInput("to", "range_too_long", f"A range may have {MAX_DAYS} days.")


@dataclass(frozen=True, kw_only=True, slots=True)
class Position:
    """The position at which reading goes on."""

    runs_from: datetime
    gaps_from: datetime

    @classmethod
    def at_start(cls, wanted: LedgerRange) -> Self:
        """At the beginning of a range."""
        return cls(runs_from=wanted.start, gaps_from=wanted.start)

    @classmethod
    def from_cursor(cls, cursor: str, job_id: JobId, wanted: LedgerRange) -> Self:
        """Behind what the page before showed; raises ``InvalidInput`` for any other cursor."""
        match = _CURSOR.fullmatch(cursor)
        if match is None or match[3] != _mark(job_id):
            raise _no_cursor()
        try:
            shown = from_compact(match[1])
            beyond = shown + MILLISECOND
        except (InvalidInput, OverflowError) as error:
            raise _no_cursor() from error
        if shown < wanted.start:
            raise _no_cursor()
        return cls(runs_from=beyond, gaps_from=shown if match[2] == "r" else beyond)


def cursor_behind(record: Record, job_id: JobId) -> str:
    """Leads on from the last record of a page."""
    kind = "g" if isinstance(record, Gap | DamagedGap) else "r"
    return f"{compact(_reaches(record))}{kind}{_mark(job_id)}"


def joined(earlier: Record, later: Record, timing: Timing) -> Gap | None:
    """Two gaps as one, if they have one reason and one schedule, and no instant lies between.

    Both came from the ledger one after the other, so nothing on record lies between. An instant
    without any record must not disappear inside a gap: the schedule tells whether there is one.
    """
    if not (isinstance(earlier, Gap) and isinstance(later, Gap)) or earlier.reason != later.reason:
        return None
    if earlier.naming != later.naming:
        return None
    naming = later.naming or Naming.of(timing)
    following = next_instant(naming, max(earlier.last, naming.anchored_at))
    if following is not None and following < later.first:
        return None
    return replace(later, first=earlier.first, count=earlier.count + later.count)


def _reaches(record: Record) -> datetime:
    if isinstance(record, Gap | DamagedGap):
        return record.last
    return record.id.run.scheduled_at


def _mark(job_id: JobId) -> str:
    """Keeps honest callers from mixing cursors up; a forged one finds the job's own rows."""
    return f"{crc32(f'ledger#{job_id}'.encode()):08x}"


def _no_cursor() -> InvalidInput:
    return InvalidInput("cursor", "invalid_cursor", "This is no cursor of this listing.")
