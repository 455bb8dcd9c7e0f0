"""Seals: each tenant's month once, chained and signed, whatever is repeated."""

import contextlib
import json
from collections.abc import Callable

import pytest

from tests.support.factories import OTHER_TENANT, TENANT
from tests.unit.usecases.archive.sealing import (
    AFTER_DECEMBER,
    AFTER_JANUARY,
    AFTER_NOVEMBER,
    DECEMBER,
    JANUARY,
    NOVEMBER,
    Sealer,
)
from tests.unit.usecases.archive.test_archive_round import DAY, Died
from timegate.domain.archive.canonical import digest_of
from timegate.domain.archive.seals import MonthPlan, Seal, seal_path
from timegate.domain.values.tenant import TenantId
from timegate.ports.telemetry import service_events
from timegate.usecases.archive.seal_months import Sealed


def days_of(seal: Seal) -> list[str]:
    """The days of the files that a seal names."""
    return sorted(each.path.split("/day=")[1][:10] for each in seal.files)


def test_a_month_is_sealed_when_the_archive_has_all_of_it(sealer: Sealer) -> None:
    """A round that ends on the first day of the next month has; one a day before has not."""
    sealer.tick(9)
    before = sealer.seal(9)
    # The next round is due after seven days, and ends on 7 December.
    done = sealer.month(17)

    assert before.month == "2026-10"
    assert done == Sealed(seals=2, month=NOVEMBER)
    assert days_of(sealer.sealed(NOVEMBER)) == [
        "2026-11-21",
        "2026-11-24",
        "2026-11-27",
        "2026-11-30",
    ]
    assert sealer.sealed(NOVEMBER).archived_until == "2026-12-07"
    assert days_of(sealer.sealed(NOVEMBER, OTHER_TENANT)) == ["2026-11-21"]


def test_files_are_named_as_the_lists_of_their_segments_name_them(sealer: Sealer) -> None:
    """Path, rows, bytes and digest: no file is read for its seal."""
    sealer.month(AFTER_NOVEMBER)
    listed = {
        each["path"]: each
        for path, content in sealer.files.files.items()
        if path.startswith("rounds/") and isinstance(json.loads(content).get("files"), list)
        for each in json.loads(content)["files"]
    }
    files = sealer.sealed(NOVEMBER).files

    assert [each.as_json() for each in files] == [listed[each.path] for each in files]
    assert all(digest_of(sealer.files.files[each.path]) == each.sha256 for each in files)


def test_each_seal_names_the_one_before(sealer: Sealer) -> None:
    """A month without a file has a seal as well, so that none can be left out."""
    done = [sealer.month(days) for days in (AFTER_NOVEMBER, AFTER_DECEMBER, AFTER_JANUARY)]
    seals = [sealer.files.files[seal_path(OTHER_TENANT, each.month or "")] for each in done]

    assert [each.month for each in done] == [NOVEMBER, DECEMBER, JANUARY]
    assert [Seal.from_bytes(each).previous for each in seals] == [
        None,
        digest_of(seals[0]),
        digest_of(seals[1]),
    ]
    assert days_of(sealer.sealed(DECEMBER, OTHER_TENANT)) == []


def test_each_file_is_named_once(sealer: Sealer) -> None:
    """Files of a round that two months share are with their own months."""
    for days in (AFTER_NOVEMBER, AFTER_DECEMBER):
        sealer.month(days)
    named = [
        each.path
        for path in sealer.seals
        if path.endswith(".json")
        for each in Seal.from_bytes(sealer.files.files[path]).files
    ]
    kept = [path for path in sealer.files.files if path.startswith("attempts/")]

    assert sorted(named) == sorted(kept)
    assert days_of(sealer.sealed(DECEMBER)) == ["2026-12-03"]


def test_the_first_seal_has_all_that_was_archived_before(sealer: Sealer) -> None:
    """Files of earlier months are late in it: no seal had named them."""
    sealer.end_of(TENANT, "old", -60 * DAY)
    sealer.month(AFTER_NOVEMBER)
    seal = sealer.sealed(NOVEMBER)

    assert [each.month for each in seal.late] == ["2026-09"]
    assert all(each.month == NOVEMBER for each in seal.files)


def test_a_late_row_is_named_by_the_next_seal(sealer: Sealer) -> None:
    """A round that has files of a month which is sealed already."""
    sealer.month(AFTER_NOVEMBER)
    late = "attempts/tenant=acme/day=2026-11-29/2026-12-10-00000.parquet"
    file = {"path": late.replace("acme", TENANT), "rows": 1, "bytes": 1, "sha256": "0" * 64}
    plan = {"begin": "2026-12-02", "end": "2026-12-10", "segments": {"runs": 1, "jobs": 0}}
    for name, told in (
        ("plan", plan),
        ("runs-00000", {"files": [file]}),
        ("complete", {"files": 1}),
    ):
        sealer.files.create(f"rounds/2026-12-10/{name}.json", json.dumps(told).encode())
    sealer.month(AFTER_DECEMBER)
    sealer.month(AFTER_JANUARY)

    assert [each.as_json() for each in sealer.sealed(DECEMBER).late] == [file]
    assert sealer.sealed(JANUARY).late == ()


def test_months_are_made_up_for(sealer: Sealer) -> None:
    """A tick seals one month; those that a long round has are sealed by the next ticks."""
    sealer.month(AFTER_NOVEMBER)
    sealer.tick(AFTER_JANUARY)
    done = [sealer.seal(AFTER_JANUARY).month for _ in range(3)]

    assert done == [DECEMBER, JANUARY, None]
    assert days_of(sealer.sealed(DECEMBER)) == ["2026-12-03"]
    assert days_of(sealer.sealed(JANUARY)) == []


def test_a_tick_without_a_due_month_reads_its_mark(
    sealer: Sealer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One list and one file, and no request to the key."""
    sealer.month(AFTER_NOVEMBER)
    asked: list[str] = []
    for name in ("read", "folders", "paths", "create"):
        monkeypatch.setattr(sealer.files, name, _noted(getattr(sealer.files, name), asked))
    done = sealer.seal(AFTER_NOVEMBER + 8)

    assert done == Sealed()
    assert asked == ["seals/months/", "seals/months/2026-11/complete.json"]
    assert len(sealer.signer.signed) == 2


def _noted(method: Callable[..., object], asked: list[str]) -> Callable[..., object]:
    def noted(path: str, *rest: object, **more: object) -> object:
        asked.append(path)
        return method(path, *rest, **more)

    return noted


def test_tenants_are_sealed_in_parts_while_there_is_time(
    sealer: Sealer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A part has a bounded number of files at hand; a later tick goes on with the next."""
    monkeypatch.setattr("timegate.usecases.archive.seal_months.FILES_AT_HAND", 1)
    sealer.tick(AFTER_NOVEMBER)
    ticks = [sealer.seal(AFTER_NOVEMBER, has_time=lambda: False) for _ in range(9)]

    assert sum(each.month == NOVEMBER for each in ticks) == 1
    assert len(sealer.seals) == 4
    assert len(sealer.signer.signed) == 2


def test_a_tick_reads_no_list_of_a_part_that_is_signed(
    sealer: Sealer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Lambda ends it after so many reads: lists of all parts before would leave none for a part."""
    for number in range(12):
        sealer.end_of(TenantId(f"tenant-{number}"), f"of {number}", number)
    monkeypatch.setattr("timegate.usecases.archive.seal_months.FILES_AT_HAND", 3)
    sealer.tick(AFTER_NOVEMBER)
    lists = sum(path.endswith(".json") for path in sealer.files.paths("rounds/"))
    read, left = sealer.files.read, iter(range(0))

    def until_it_is_ended(path: str) -> bytes | None:
        if path.startswith("rounds/") and next(left, None) is None:
            raise Died
        return read(path)

    ended = []
    monkeypatch.setattr(sealer.files, "read", until_it_is_ended)
    for _ in range(12):
        # The files of each round are counted once, and those of two parts are read.
        left = iter(range(3 * lists))
        with contextlib.suppress(Died):
            ended.append(sealer.seal(AFTER_NOVEMBER).month)

    assert NOVEMBER in ended
    assert len(sealer.seals) == 2 * 14


def test_a_sealed_month_is_told(sealer: Sealer) -> None:
    """With its tenants and files."""
    sealer.month(AFTER_NOVEMBER)
    (told,) = [
        each.fields for each in sealer.telemetry.events if each.name == service_events.MONTH_SEALED
    ]

    assert (told["month"], told["tenants"], told["files"]) == (NOVEMBER, 2, 5)


def test_every_tenant_is_in_one_part() -> None:
    """Each of 200 tenants falls into one of the seven parts."""
    plan = MonthPlan(month=NOVEMBER, rounds=("2026-12-01",), shared=None, parts=7)

    assert {plan.part_of(f"tenant-{number}") for number in range(200)} == set(range(7))
