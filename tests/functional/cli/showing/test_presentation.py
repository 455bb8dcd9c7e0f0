"""People's output fits their terminal and uses their zone; data output depends on neither."""

import json
import re
from collections.abc import Callable
from datetime import UTC
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from tests.functional.cli.conftest import Outcome
from tests.functional.cli.fake_api import FakeApi, ok, page
from tests.functional.cli.samples import (
    JOB_ID,
    RUN_ID,
    failed_row,
    job,
    operation,
    row,
    run,
    runs_page,
)
from tests.functional.cli.terminal.test_every_operation import COMMANDS
from timegate.cli.showing.instants import moment, zoned
from timegate.cli.showing.presentation import Presentation, local_zone, presented

Timegate = Callable[..., Outcome]

ANSWERS = json.loads(Path("docs/reference/openapi-examples.json").read_text(encoding="utf-8"))
#: Drawings of the API's own, which are text for a file.
DRAWN = {
    *("drawDag", "drawDagRun", "drawDagRunGantt"),
    *("drawDagPicture", "drawDagRunPicture", "drawDagRunGanttPicture"),
}
#: Some commands read more than one answer, or another one first.
NOT_ALONE = {"readLog", "validateNewDag", "simulate"}
BERLIN = ZoneInfo("Europe/Berlin")
_LINK = re.compile(r"https://\S+")


@pytest.mark.parametrize("name", sorted(COMMANDS.keys() - DRAWN - NOT_ALONE))
def test_the_described_answer_fits_80_columns(
    api: FakeApi, timegate: Timegate, tmp_path: Path, name: str
) -> None:
    """Every operation's table fits; other lines fold, and a link stays whole."""
    described = ANSWERS["operations"][name]
    api.will(ok(described["answer"], described["status"]))
    (tmp_path / "list.json").write_text("[{}]")
    words = COMMANDS[name].replace("LIST", str(tmp_path / "list.json")).split()
    outcome = timegate(*words, stdin="{}", columns=80)
    lines = (line.rstrip() for line in outcome.out.splitlines())
    wide = [line for line in lines if len(line) > 80 and not _LINK.fullmatch(line)]

    assert outcome.unexpected is None, outcome.err
    assert wide == []


def test_columns_without_room_are_named(api: FakeApi, timegate: Timegate) -> None:
    """The least telling go first; ``--wide`` shows them whatever the terminal."""
    api.will(page([job(name="a report of many words that folds")]))
    narrow = timegate("jobs", "list", columns=80).out
    room = timegate("jobs", "list", columns=200).out
    wide = timegate("jobs", "list", "--wide", columns=80).out

    assert "priority" not in narrow.splitlines()[0]
    assert narrow.splitlines()[-1] == "--wide also shows: priority."
    assert "priority" in room.splitlines()[0]
    assert (JOB_ID in wide, "normal" in wide, "also shows" in wide) == (True, True, False)


def test_columns_that_say_nothing_go_first(api: FakeApi, timegate: Timegate) -> None:
    """Then those that are spare, then from the right; the id stays."""
    error = {"code": "http_404", "type": "HttpStatus", "message": "gone"}
    api.will(runs_page([failed_row(error=error, reason=None)]))
    head = timegate("runs", "failed", columns=80).out.splitlines()[0].split("  ")

    assert [each.strip() for each in head if each.strip()] == [
        *("ended (UTC)", "job", "state", "error", "run_id"),
    ]


def test_times_are_those_of_this_machine(api: FakeApi, timegate: Timegate) -> None:
    """The heading and the line say the zone; ``--utc`` shows UTC."""
    api.will(ok(run()))
    here = timegate("runs", "get", RUN_ID, zone="Europe/Berlin").out
    there = timegate("runs", "get", RUN_ID, "--utc", zone="Europe/Berlin").out
    data = timegate("runs", "get", RUN_ID, "--json", zone="Europe/Berlin").json

    assert "scheduled  2026-11-21 08:00:00 CET (schedule)" in here
    assert "due (Berlin)" in here
    assert "scheduled  2026-11-21 07:00:00 UTC (schedule)" in there
    assert "due (UTC)" in there
    assert data["scheduled_at"] == run()["scheduled_at"]


@pytest.mark.parametrize(
    ("instant", "shown"),
    [
        ("2026-10-24T23:30:00.000Z", "2026-10-25 01:30:00"),
        ("2026-10-25T00:30:00.000Z", "2026-10-25 02:30:00+0200"),
        ("2026-10-25T01:30:00.000Z", "2026-10-25 02:30:00+0100"),
        ("2026-10-25T02:30:00.000Z", "2026-10-25 03:30:00"),
        (None, "-"),
    ],
)
def test_an_hour_that_comes_twice_says_which(instant: str | None, shown: str) -> None:
    """A column has no zone beside each instant."""
    with presented(Presentation(zone=BERLIN)):
        assert moment(instant) == shown


def test_milliseconds_are_shown_where_there_is_room() -> None:
    """A line has it, where they say something; a column with ``--wide``."""
    text = "2026-07-01T07:00:00.450Z"
    with presented(Presentation(zone=BERLIN)):
        plain = (moment(text), zoned(text), zoned("2026-07-01T07:00:00.000Z"))
    with presented(Presentation(zone=UTC, is_wide=True)):
        wide = moment(text)

    assert plain == (
        *("2026-07-01 09:00:00", "2026-07-01 09:00:00.450 CEST", "2026-07-01 09:00:00 CEST"),
    )
    assert wide == "2026-07-01 07:00:00.450"


def test_the_zone_of_a_machine_is_found(tmp_path: Path) -> None:
    """By ``TZ``, or by its link; what neither names is the C library's."""
    link = tmp_path / "localtime"
    link.symlink_to("/usr/share/zoneinfo/America/New_York")
    nothing = tmp_path / "none"

    assert local_zone({"TZ": "Europe/Berlin"}, link) == BERLIN
    assert local_zone({"TZ": ":Etc/UTC"}, link) is UTC
    assert local_zone({}, link) == ZoneInfo("America/New_York")
    assert local_zone({"TZ": "CET-1CEST"}, link) is None
    assert local_zone({}, nothing) is None
    assert [Presentation(zone=zone).zone_label for zone in (UTC, BERLIN, None)] == [
        *("UTC", "Berlin", "local"),
    ]
    assert Presentation(zone=ZoneInfo("America/New_York")).zone_label == "New York"


def test_what_was_chosen_holds_for_one_command(api: FakeApi, timegate: Timegate) -> None:
    """The next one in the same process chooses anew."""
    api.will(ok(operation()))
    wide = timegate("operations", "get", "o", "--wide", zone="Europe/Berlin").out
    api.will(page([row()]))
    next_one = timegate("runs", "list", JOB_ID).out

    assert "CET" in wide
    assert "due (UTC)" in next_one
