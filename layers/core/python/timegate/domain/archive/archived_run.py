"""Archived runs: which of them are asked for, and where an expired one lies."""

from datetime import UTC, date, datetime, timedelta

from timegate.domain.archive.columns import RecordKind
from timegate.domain.archive.rounds import day_folder
from timegate.domain.runs.run_states import RunState
from timegate.domain.values.errors import InvalidInput
from timegate.domain.values.identity import JobId, RunId
from timegate.domain.values.tenant import TenantId
from timegate.domain.values.tenant_errors import RunExpired
from timegate.value_classes import dataclass

#: Days before and after its instant that a run's ends are looked for: a run that is planned ahead,
#: and cancelled or skipped before midnight, ends on the day before its instant.
SEARCHED_BEFORE, SEARCHED_DAYS = 1, 8


@dataclass(frozen=True, kw_only=True, slots=True)
class ArchiveFilter:
    """Filter of archived runs, by the days of their ends in UTC."""

    #: Both included; ``None``: as far as there is any.
    first: date | None = None
    last: date | None = None
    job_id: JobId | None = None
    state: RunState | None = None

    def __post_init__(self) -> None:
        """Raise ``InvalidInput`` for days that end before they begin."""
        if self.first is not None and self.last is not None and self.last < self.first:
            raise InvalidInput("to", "range_reversed", "It is earlier than from.")

    def has_day(self, day: str) -> bool:
        """Tell if a day, as partitions name it, is asked for."""
        is_early = self.first is not None and day < self.first.isoformat()
        is_late = self.last is not None and day > self.last.isoformat()
        return not is_early and not is_late


def expired(tenant: TenantId, run: RunId, retention: timedelta) -> RunExpired:
    """Return the error that names the first partition that may have the run."""
    day = run.scheduled_at.astimezone(UTC).date().isoformat()
    folder = day_folder(RecordKind.ATTEMPTS, tenant, day)
    return RunExpired(str(run), folder, days=retention.days)


def may_have_expired(run: RunId, retention: timedelta, now: datetime) -> bool:
    """Tell if the run is so old that its record is gone if it ended on time."""
    return run.scheduled_at < now - retention
