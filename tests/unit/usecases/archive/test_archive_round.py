"""The archiver's tick: each record once, whatever is repeated, and nothing left out."""

import contextlib
import json
from collections.abc import Callable
from datetime import date, timedelta

import pytest

from tests.support.factories import NOW, after, attempt_factory, attempt_id, gap_factory, job_id
from tests.support.stores.records import Records
from timegate.adapters.archive.archived_runs import ArchivedRunStore
from timegate.adapters.archive.ended_records import SEGMENT_BYTES, DynamoEndedRecords
from timegate.adapters.archive.memory_files import MemoryArchiveFiles
from timegate.adapters.memory.telemetry import MemoryTelemetry
from timegate.adapters.parquet.reader import read_rows
from timegate.adapters.parquet.writer import ParquetFiles
from timegate.domain.runs.run import RunState
from timegate.ports.telemetry import service_metrics
from timegate.usecases.archive.archive_round import Archived, archive_round
from timegate.usecases.archive.archive_services import Archiving

DAY = 86_400
#: Four segments of runs, four of jobs.
SEGMENTS = 4


class Died(Exception):
    """The process is gone."""


class Archiver:
    """The archiver over two tables in memory."""

    def __init__(self) -> None:
        self.records = Records()
        self.files = MemoryArchiveFiles()
        self.telemetry = MemoryTelemetry()
        self.ended = DynamoEndedRecords(
            self.records.engine,
            jobs_table="jobs",
            runs_table="runs",
            size_of=lambda _: (SEGMENTS - 1) * SEGMENT_BYTES,
        )

    def tick(self, days: float = 2, *, has_time: Callable[[], bool] = lambda: True) -> Archived:
        """One tick, so many days after ``NOW``."""
        archiving = Archiving(
            records=self.ended,
            files=self.files,
            format=ParquetFiles(),
            telemetry=self.telemetry,
        )
        return archive_round(archiving, has_time, now=after(days * DAY))

    def end(self, name: str, at: float, *, number: int = 1) -> None:
        """Let an attempt end so many seconds after ``NOW``."""
        self.records.put_attempt(
            attempt_factory(
                id=attempt_id(number, job=job_id(name)),
                state=RunState.SUCCEEDED,
                ended_at=after(at),
                watch_at=None,
            )
        )

    def archived(self, kind: str = "attempts") -> list[tuple[str, object]]:
        """Day and job of every row in files of a kind, in order."""
        return sorted(
            (path.split("/day=")[1][:10], row["job_id"])
            for path, content in self.files.files.items()
            if path.startswith(f"{kind}/")
            for row in read_rows(content, ["job_id"])
        )


@pytest.fixture
def archiver() -> Archiver:
    """Five jobs, each with a run that ended today, and one with a gap."""
    archiver = Archiver()
    for name in "abcde":
        archiver.end(name, 10)
    archiver.records.put_gap(gap_factory())
    return archiver


FIVE = sorted(("2026-11-21", job_id(name)) for name in "abcde")


def test_a_tick_archives_a_whole_round(archiver: Archiver) -> None:
    """Every segment of both tables, and the word that it is complete."""
    done = archiver.tick()

    assert archiver.archived() == FIVE
    assert len(archiver.archived("gaps")) == 1
    assert (done.segments, done.rows, done.completed) == (2 * SEGMENTS, 6, date(2026, 11, 22))
    assert ArchivedRunStore(archiver.files).archived_until() == date(2026, 11, 22)


def test_a_tick_without_a_due_round_does_nothing(archiver: Archiver) -> None:
    """It reads what is complete, and no table."""
    archiver.tick()
    before = dict(archiver.files.files)
    archiver.end("f", 3 * DAY)

    assert archiver.tick(8.5) == Archived()
    assert archiver.files.files == before


def test_each_attempt_is_in_one_round(archiver: Archiver) -> None:
    """Runs that end on a round's last day and on the next round's first day are archived once."""
    archiver.tick()
    archiver.end("late", DAY)
    archiver.end("later", 6 * DAY)
    archiver.tick(9)
    rows = archiver.archived()

    assert rows == sorted([*FIVE, ("2026-11-22", job_id("late")), ("2026-11-27", job_id("later"))])


def test_a_round_goes_on_where_time_ended(archiver: Archiver) -> None:
    """A segment at least is done by each tick, and none twice."""
    ticks = [archiver.tick(has_time=lambda: False) for _ in range(2 * SEGMENTS)]

    assert [each.segments for each in ticks] == [1] * (2 * SEGMENTS)
    assert [each.completed for each in ticks][:-1] == [None] * (2 * SEGMENTS - 1)
    assert ticks[-1].completed == date(2026, 11, 22)
    assert archiver.archived() == FIVE


@pytest.mark.parametrize("survived", range(18))
def test_a_crash_at_any_file_doubles_and_loses_nothing(
    archiver: Archiver, monkeypatch: pytest.MonkeyPatch, survived: int
) -> None:
    """The next tick meets the files of the dead one."""
    create, left = archiver.files.create, iter([True] * survived)

    def dying(path: str, content: bytes) -> bool:
        if not next(left, False):
            raise Died
        return create(path, content)

    with monkeypatch.context() as patched:
        patched.setattr(archiver.files, "create", dying)
        with contextlib.suppress(Died):
            archiver.tick()
    archiver.tick()

    assert archiver.archived() == FIVE
    assert len(archiver.archived("gaps")) == 1
    assert ArchivedRunStore(archiver.files).archived_until() == date(2026, 11, 22)


def test_a_segment_that_is_read_twice_keeps_its_first_files(
    archiver: Archiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Records that expired between two tries are in the files of the first, and in its list."""
    create = archiver.files.create

    def without_lists(path: str, content: bytes) -> bool:
        if "-0000" in path and path.startswith("rounds/"):
            raise Died
        return create(path, content)

    one = Archiver()
    monkeypatch.setattr(one, "files", archiver.files)
    for name in "ab":
        one.end(name, 10)
    monkeypatch.setattr(archiver.ended, "segments", lambda _: 1)
    with monkeypatch.context() as patched:
        patched.setattr(archiver.files, "create", without_lists)
        with pytest.raises(Died):
            archiver.tick()
    done = one.tick()

    assert archiver.archived() == FIVE
    assert done.rows == len(FIVE)


def test_lists_tell_each_file_with_its_digest(archiver: Archiver) -> None:
    """An auditor holds the files to them."""
    archiver.tick()
    lists = [
        json.loads(content)
        for path, content in archiver.files.files.items()
        if path.startswith("rounds/") and "files" in json.loads(content)
    ]
    told = {
        each["path"]: each
        for one in lists
        if isinstance(one["files"], list)
        for each in one["files"]
    }
    kept = {path for path in archiver.files.files if not path.startswith("rounds/")}

    assert told.keys() == kept
    assert sum(each["rows"] for each in told.values()) == 6


def test_the_age_of_the_archive_is_measured(archiver: Archiver) -> None:
    """From the end of the last complete round; before the first plan there is none."""
    archiver.tick()
    archiver.tick(12)
    measured = archiver.telemetry.measures[service_metrics.ARCHIVE_AGE_MS]
    since = NOW + timedelta(days=12) - NOW.replace(day=22, hour=0)

    assert measured == [since / timedelta(milliseconds=1)]


def test_a_first_round_that_does_not_end_ages(archiver: Archiver) -> None:
    """Its plan's end is what waits: the alarm need not wait for a round that has ended."""
    archiver.tick(has_time=lambda: False)
    archiver.tick(17, has_time=lambda: False)
    measured = archiver.telemetry.measures[service_metrics.ARCHIVE_AGE_MS]

    assert measured == [(timedelta(days=17, hours=-17)) / timedelta(milliseconds=1)]


def test_a_segment_is_packed_while_it_is_read(archiver: Archiver) -> None:
    """A file of more rows than one pack has each of them, in the order of its records."""
    for number in range(1_203):
        archiver.end(f"job-{number}", number)
    archiver.tick()
    rows = archiver.archived()

    assert len(rows) == 1_203 + len(FIVE)
    assert len(set(rows)) == len(rows)
