"""Rounds: spans of days whose ended records are archived together, each of them once."""

from collections.abc import Mapping
from datetime import UTC, date, datetime, timedelta
from enum import StrEnum

from timegate.domain.archive.columns import RecordKind
from timegate.domain.values.errors import Malformed
from timegate.value_classes import dataclass

#: Days between two rounds. Each reads every record once: a record of 30 days is read five times.
ROUND_DAYS = 7
#: No write that names an instant as its end comes later than this: Lambda ends a writer sooner.
SETTLING = timedelta(days=1)


class ArchivedTable(StrEnum):
    """Tables that a round reads."""

    #: Attempts.
    RUNS = "runs"
    #: Gaps of ledgers, and entries of the audit trail.
    JOBS = "jobs"


@dataclass(frozen=True, kw_only=True, slots=True)
class Span:
    """Records that ended from ``begin`` on and before ``end``, at midnight UTC each."""

    #: ``None``: of the first round, which takes all that ended before ``end``.
    begin: date | None
    end: date

    @property
    def first(self) -> datetime:
        """Return the first instant of the span."""
        return midnight(self.begin) if self.begin is not None else datetime(1970, 1, 1, tzinfo=UTC)

    @property
    def last(self) -> datetime:
        """Return the last millisecond of the span."""
        return midnight(self.end) - timedelta(milliseconds=1)


@dataclass(frozen=True, kw_only=True, slots=True)
class Round:
    """A span, and in how many segments each table is read for it.

    Both are fixed before anything is read: a segment that is read again has the same records.
    """

    span: Span
    segments: Mapping[ArchivedTable, int]

    @property
    def name(self) -> str:
        """Return the name of the round's folder, which sorts by time."""
        return self.span.end.isoformat()

    def as_json(self) -> dict[str, object]:
        """Return the round as its plan is stored."""
        begin = self.span.begin.isoformat() if self.span.begin is not None else None
        return {"begin": begin, "end": self.name, "segments": dict(self.segments)}

    @classmethod
    def from_json(cls, told: Mapping[str, object]) -> "Round":
        """Read a plan back; raises ``Malformed``."""
        try:
            begin, segments = told["begin"], told["segments"]
            return cls(
                span=Span(
                    begin=date.fromisoformat(str(begin)) if begin is not None else None,
                    end=date.fromisoformat(str(told["end"])),
                ),
                segments={source: int(segments[source]) for source in ArchivedTable},  # type: ignore[index]
            )
        except (LookupError, TypeError, ValueError) as error:
            raise Malformed(f"{told!r} is no plan of a round.") from error


def next_span(archived_until: date | None, now: datetime) -> Span | None:
    """Return the span of the next round; ``None``: it is not due yet.

    ``archived_until``: the end of the last complete round.
    """
    end = (now - SETTLING).astimezone(UTC).date()
    if archived_until is not None and end < archived_until + timedelta(days=ROUND_DAYS):
        return None
    return Span(begin=archived_until, end=end)


def rounds_folder() -> str:
    """Return the folder of all rounds."""
    return "rounds/"


def plan_path(name: str) -> str:
    """Return where the plan of a round lies."""
    return f"rounds/{name}/plan.json"


def next_path(archived_until: date | None) -> str:
    """Return where the end of the round after this day lies: of all archivers' one."""
    if archived_until is None:
        return f"{rounds_folder()}first.json"
    return f"rounds/{archived_until.isoformat()}/next.json"


def segment_path(name: str, source: ArchivedTable, segment: int) -> str:
    """Return where the list of a segment's files lies."""
    return f"rounds/{name}/{source}-{segment:05d}.json"


def complete_path(name: str) -> str:
    """Return where the word that a round is complete lies."""
    return f"rounds/{name}/complete.json"


def day_folder(kind: RecordKind, tenant: str, day: str) -> str:
    """Return the partition of a tenant's day."""
    return f"{tenant_folder(kind, tenant)}day={day}/"


def tenant_folder(kind: RecordKind, tenant: str) -> str:
    """Return the folder of a tenant's days."""
    return f"{kind}/tenant={tenant}/"


def file_path(kind: RecordKind, tenant: str, day: str, name: str, segment: int) -> str:
    """Return where the records of a tenant's day lie that a segment of a round has.

    The name is computed: a segment that is archived again meets its own file.
    """
    return f"{day_folder(kind, tenant, day)}{name}-{segment:05d}.parquet"


def midnight(day: date) -> datetime:
    """Return the first instant of a day, in UTC."""
    return datetime(day.year, day.month, day.day, tzinfo=UTC)
