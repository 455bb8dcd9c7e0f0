"""Runs read from files of the archive: a request has a bounded part of them read."""

import json
import re
from collections.abc import Iterator
from datetime import date, timedelta

from timegate.adapters.dynamo.runs.items.attempt_reading import attempt_from_fields
from timegate.adapters.page_cursor import read_cursor, write_cursor
from timegate.adapters.parquet.reader import read_groups
from timegate.domain.archive.archived_run import SEARCHED_BEFORE, SEARCHED_DAYS, ArchiveFilter
from timegate.domain.archive.columns import Cell, RecordKind
from timegate.domain.archive.rounds import (
    complete_path,
    day_folder,
    rounds_folder,
    tenant_folder,
)
from timegate.domain.runs.resolution import Settled
from timegate.domain.runs.run import Attempt, Reason, RunState
from timegate.domain.values.errors import InvalidInput, Malformed, RunNotFound
from timegate.domain.values.identity import RunId
from timegate.domain.values.tenant import TenantId
from timegate.ports.archive import ArchiveFiles
from timegate.ports.stores import Page

#: Files and rows that one page looks through.
MOST_FILES = 40
MOST_ROWS = 100_000
_DAY = "day="
#: More rows than a file has: all of it is behind.
_WHOLE = 10**9 - 1
_COLUMNS = ("run_id", "job_id", "state", "reason", "record")
#: A day, a file and the row after which a page begins.
_POSITION = re.compile(r"(\d{4}-\d{2}-\d{2})/([\w.-]{1,80})#(\d{1,9})", re.ASCII)


class ArchivedRunStore:
    """Paths begin with the tenant's name: no request reaches another tenant's files."""

    def __init__(self, files: ArchiveFiles) -> None:
        self._files = files

    def list_runs(
        self, tenant: TenantId, wanted: ArchiveFilter, *, limit: int, cursor: str | None
    ) -> Page[Attempt]:
        """Last attempts at runs that match, the latest day first; within a day in no order."""
        listing = f"archive#{tenant}"
        begin = _position(read_cursor(listing, cursor)) if cursor is not None else None
        found: list[Attempt] = []
        files = rows = 0
        for day, name in self._files_of(tenant, wanted, begin):
            skipped = begin[2] if begin is not None and (day, name) == begin[:2] else 0
            files += 1
            path = f"{day_folder(RecordKind.ATTEMPTS, tenant, day)}{name}"
            for number, row in enumerate(self._rows(path), start=1):
                if number <= skipped:
                    continue
                rows += 1
                if _matches(row, wanted):
                    found += (attempt for attempt in _read(row) if not _went_on(attempt))
                if len(found) == limit or rows == MOST_ROWS:
                    following = write_cursor(listing, f"{day}/{name}#{number}")
                    return Page(rows=tuple(found), cursor=following)
            if files == MOST_FILES:
                following = write_cursor(listing, f"{day}/{name}#{_WHOLE}")
                return Page(rows=tuple(found), cursor=following)
        return Page(rows=tuple(found), cursor=None)

    def attempts(self, tenant: TenantId, run: RunId) -> tuple[Attempt, ...]:
        """Every attempt at a run that ended around its instant; raises ``RunNotFound``."""
        named = str(run)
        found: list[Attempt] = []
        for path in self._paths_around(tenant, run.scheduled_at.date()):
            rows = (row for row in self._rows(path) if row["run_id"] == named)
            found += (attempt for row in rows for attempt in _read(row))
            if _is_whole(found):
                break
        if not found:
            raise RunNotFound(named)
        return tuple(sorted(found, key=lambda attempt: attempt.id.number))

    def archived_until(self) -> date | None:
        """Return the day before which all that ended is archived; ``None``: nothing is."""
        for name in reversed(self._files.folders(rounds_folder())):
            if self._files.read(complete_path(name)) is not None:
                return date.fromisoformat(name)
        return None

    def _files_of(
        self, tenant: TenantId, wanted: ArchiveFilter, begin: tuple[str, str, int] | None
    ) -> Iterator[tuple[str, str]]:
        """Yield days and names of files, the latest day first, from a place on."""
        for day in self._days_of(tenant, wanted):
            if begin is not None and day > begin[0]:
                continue
            for path in self._files.paths(day_folder(RecordKind.ATTEMPTS, tenant, day)):
                name = path.rpartition("/")[2]
                if begin is None or day < begin[0] or _is_left(name, begin):
                    yield day, name

    def _paths_around(self, tenant: TenantId, day: date) -> Iterator[str]:
        """Yield paths of the days in which a run is looked for.

        The day of its instant comes first, and the day before it last: few runs end there.
        """
        searched = ArchiveFilter(
            first=day - timedelta(days=SEARCHED_BEFORE), last=day + timedelta(days=SEARCHED_DAYS)
        )
        named = day.isoformat()
        for each in sorted(self._days_of(tenant, searched), key=lambda each: (each < named, each)):
            yield from self._files.paths(day_folder(RecordKind.ATTEMPTS, tenant, each))

    def _days_of(self, tenant: TenantId, wanted: ArchiveFilter) -> list[str]:
        """Return the days of a filter that the tenant has, the latest first."""
        folders = self._files.folders(
            tenant_folder(RecordKind.ATTEMPTS, tenant),
            since=f"{_DAY}{wanted.first.isoformat()}" if wanted.first is not None else "",
        )
        days = (folder.removeprefix(_DAY) for folder in reversed(folders))
        return [day for day in days if wanted.has_day(day)]

    def _rows(self, path: str) -> Iterator[dict[str, Cell]]:
        content = self._files.read(path)
        for group in read_groups(content, _COLUMNS) if content is not None else ():
            yield from group


def _is_whole(found: list[Attempt]) -> bool:
    """Tell if these are all attempts at a run: none comes after one that succeeded."""
    numbers = {attempt.id.number for attempt in found}
    succeeded = any(attempt.state is RunState.SUCCEEDED for attempt in found)
    return succeeded and numbers == set(range(1, len(numbers) + 1))


def _is_left(name: str, begin: tuple[str, str, int]) -> bool:
    """Tell if a file of the day on which a page begins has rows for it."""
    return name > begin[1] or (name == begin[1] and begin[2] < _WHOLE)


def _matches(row: dict[str, Cell], wanted: ArchiveFilter) -> bool:
    """Tell if a row is the last attempt at a run that is asked for."""
    return (
        row["reason"] != Reason.RETRIED
        and (wanted.job_id is None or row["job_id"] == wanted.job_id)
        and (wanted.state is None or row["state"] == wanted.state)
    )


def _went_on(attempt: Attempt) -> bool:
    """Tell if its run was tried again after it had ended: a later attempt is the last one."""
    return attempt.resolution is not None and attempt.resolution.settled is Settled.REDRIVEN


def _read(row: dict[str, Cell]) -> tuple[Attempt, ...]:
    """Read an attempt; none of a record that this release cannot read, which SQL shows."""
    try:
        return (attempt_from_fields(json.loads(str(row["record"]))),)
    except Malformed:
        return ()


def _position(text: str) -> tuple[str, str, int]:
    match = _POSITION.fullmatch(text)
    if match is None:
        raise InvalidInput("cursor", "invalid_cursor", "This is no cursor of this listing.")
    return match[1], match[2], int(match[3])
