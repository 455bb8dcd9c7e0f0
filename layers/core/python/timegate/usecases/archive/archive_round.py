"""One tick of the archiver: the next segments of the round that is due.

Each file, plan and list is created once, under a computed name. A segment that is archived again,
after a crash or by two archivers at once, meets its own files and adds no row.
"""

import json
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import date, datetime
from typing import Any

from timegate.domain.archive.canonical import canonical_json, digest_of
from timegate.domain.archive.columns import ArchivedRow, RecordKind
from timegate.domain.archive.rounds import (
    ArchivedTable,
    Round,
    complete_path,
    file_path,
    midnight,
    next_path,
    next_span,
    plan_path,
    rounds_folder,
    segment_path,
)
from timegate.domain.values.errors import Malformed
from timegate.domain.values.instants import milliseconds_between
from timegate.ports.archive import ArchiveFiles
from timegate.ports.telemetry import service_events, service_metrics
from timegate.usecases.archive.archive_services import Archiving
from timegate.usecases.archive.packed_rows import PackedRows
from timegate.value_classes import dataclass

#: The kind, tenant and day of a file.
Place = tuple[RecordKind, str, str]
#: Files that are written at once: so many are unpacked beside the rest of their segment.
SIDE_BY_SIDE = 4
#: Lists that are read at once: a round of a terabyte has eight thousand.
LISTS_AT_ONCE = 32


@dataclass(frozen=True, kw_only=True, slots=True)
class Archived:
    """Counts of one tick."""

    segments: int = 0
    files: int = 0
    rows: int = 0
    #: The end of the round that this tick completed.
    completed: date | None = None


def archive_round(archiving: Archiving, has_time: Callable[[], bool], *, now: datetime) -> Archived:
    """Archive segments of the open round, or of the next one if it is due.

    ``has_time``: asked before each segment but the first.
    """
    files = archiving.files
    names = files.folders(rounds_folder())
    latest = names[-1] if names else None
    is_complete = latest is None or files.read(complete_path(latest)) is not None
    until = date.fromisoformat(latest) if latest is not None else None
    _report_age(archiving, names, until, now, is_complete=is_complete)
    opened = _open_round(archiving, until, now) if is_complete else read_round(files, latest)
    if opened is None:
        return Archived()
    done = Archived()
    for source, segment in _left(opened, files):
        if done.segments and not has_time():
            return done
        stored = _archive_segment(archiving, opened, source, segment)
        done = Archived(
            segments=done.segments + 1,
            files=done.files + len(stored),
            rows=done.rows + sum(each["rows"] for each in stored),
        )
    _complete(archiving, opened, now)
    return Archived(
        segments=done.segments, files=done.files, rows=done.rows, completed=opened.span.end
    )


def listed_files(files: ArchiveFiles, opened: Round) -> Iterator[list[dict[str, Any]]]:
    """Yield the list of each segment of a round; raises ``Malformed`` where one is missing."""
    paths = [
        segment_path(opened.name, source, segment)
        for source, count in opened.segments.items()
        for segment in range(count)
    ]
    with ThreadPoolExecutor(max_workers=LISTS_AT_ONCE) as pool:
        for start in range(0, len(paths), LISTS_AT_ONCE):
            at_once = paths[start : start + LISTS_AT_ONCE]
            for path, content in zip(at_once, pool.map(files.read, at_once), strict=True):
                if content is None:
                    raise Malformed(f"The archive has no {path}.")
                yield json.loads(content)["files"]


def _open_round(archiving: Archiving, until: date | None, now: datetime) -> Round | None:
    due = next_span(until, now)
    if due is None:
        return None
    # Another archiver may have begun before midnight, with the end of a day before.
    archiving.files.create(next_path(until), canonical_json({"end": due.end.isoformat()}))
    planned = Round(
        span=replace(due, end=_stored_end(archiving.files, until)),
        segments={source: archiving.records.segments(source) for source in ArchivedTable},
    )
    # Another archiver may have planned the same round: the stored plan holds.
    archiving.files.create(plan_path(planned.name), canonical_json(planned.as_json()))
    return read_round(archiving.files, planned.name)


def _stored_end(files: ArchiveFiles, until: date | None) -> date:
    path = next_path(until)
    try:
        return date.fromisoformat(json.loads(files.read(path) or b"{}")["end"])
    except (LookupError, TypeError, ValueError) as error:
        raise Malformed(f"{path} of the archive says no end.") from error


def read_round(files: ArchiveFiles, name: str | None) -> Round:
    """Return the plan of a round; raises ``Malformed`` where there is none."""
    content = files.read(plan_path(name)) if name is not None else None
    if content is None:
        raise Malformed(f"Round {name} of the archive has no plan.")
    return Round.from_json(json.loads(content))


def _left(opened: Round, files: ArchiveFiles) -> list[tuple[ArchivedTable, int]]:
    """Return the segments that have no list yet."""
    listed = set(files.paths(f"{rounds_folder()}{opened.name}/"))
    return [
        (source, segment)
        for source, count in opened.segments.items()
        for segment in range(count)
        if segment_path(opened.name, source, segment) not in listed
    ]


def _archive_segment(
    archiving: Archiving, opened: Round, source: ArchivedTable, segment: int
) -> list[dict[str, Any]]:
    partitions: defaultdict[Place, PackedRows] = defaultdict(PackedRows)
    count = opened.segments[source]
    for row in archiving.records.rows(source, opened.span, segment=segment, of=count):
        partitions[row.kind, row.tenant, row.day].add(row)

    def store(place: Place) -> dict[str, Any]:
        kind, tenant, day = place
        path = file_path(kind, tenant, day, opened.name, segment)
        return _store(archiving, path, kind, partitions.pop(place))

    with ThreadPoolExecutor(max_workers=SIDE_BY_SIDE) as pool:
        stored = list(pool.map(store, sorted(partitions)))
    archiving.files.create(
        segment_path(opened.name, source, segment), canonical_json({"files": stored})
    )
    rows = sum(each["rows"] for each in stored)
    archiving.telemetry.event(
        service_events.SEGMENT_ARCHIVED,
        round=opened.name,
        source=source,
        segment=segment,
        of=count,
        files=len(stored),
        rows=rows,
    )
    return stored


def _store(archiving: Archiving, path: str, kind: RecordKind, packed: PackedRows) -> dict[str, Any]:
    """Create a file; where there is one, it stays, and is what the list says of it."""
    content = archiving.format.encode(kind, sorted(packed.rows(), key=_order))
    if not archiving.files.create(path, content):
        content = archiving.files.read(path) or content
    return {
        "path": path,
        "rows": archiving.format.count(content),
        "bytes": len(content),
        "sha256": digest_of(content),
    }


def _order(row: ArchivedRow) -> str:
    return str(row.cells["record"])


def _complete(archiving: Archiving, opened: Round, now: datetime) -> None:
    stored = [each for one in listed_files(archiving.files, opened) for each in one]
    rows = sum(each["rows"] for each in stored)
    told = {"completed_at": now.isoformat(), "files": len(stored), "rows": rows}
    archiving.files.create(complete_path(opened.name), canonical_json(told))
    archiving.telemetry.event(service_events.ROUND_ARCHIVED, round=opened.name, **told)


def _report_age(
    archiving: Archiving,
    names: Sequence[str],
    latest: date | None,
    now: datetime,
    *,
    is_complete: bool,
) -> None:
    """Measure the age of the oldest day that is not archived; the alarm holds a bound.

    A first round that does not end is as old as its plan: it has no day before it.
    """
    done = latest if is_complete or len(names) == 1 else date.fromisoformat(names[-2])
    if done is not None:
        began = midnight(done)
        archiving.telemetry.measure(
            service_metrics.ARCHIVE_AGE_MS, milliseconds_between(began, now)
        )
