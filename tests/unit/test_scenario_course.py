"""The player of scenarios relies on a set clock, separate shards and compared ledgers."""

import os
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from infra.local.clock import CloudClock
from tests.support.simulation.scenario_course import shards_by_outage
from tests.support.simulation.scenario_rows import Row, difference, joined, row_of_gap, row_of_run
from tests.support.simulation.scenario_timeline import changes_of, next_minute

SEVEN = datetime(2026, 11, 21, 7, tzinfo=UTC)
CLOCK_READER = """
import sys, time, datetime
for _ in sys.stdin:
    print(time.time_ns(), datetime.datetime.now(datetime.UTC).isoformat(), flush=True)
"""


def document(until: int, outage: tuple[int, int] | None = None) -> dict[str, Any]:
    """A scenario from seven o'clock on, with minutes at which its planner is down."""
    found: dict[str, Any] = {"from": SEVEN, "to": SEVEN + timedelta(minutes=until)}
    if outage is not None:
        first, last = (SEVEN + timedelta(minutes=minute) for minute in outage)
        found["planner"] = {"outages": [{"from": first, "to": last}]}
    return found


def test_a_clock_that_is_set_stands_in_every_process_at_once(tmp_path: Path) -> None:
    """It shows the machine's time before."""
    clock = CloudClock.running(tmp_path / "clock")
    with subprocess.Popen(
        [sys.executable, "-c", CLOCK_READER],
        env=os.environ | clock.environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as reader:
        assert reader.stdin is not None
        assert reader.stdout is not None
        asked, answers = reader.stdin, reader.stdout

        def ask() -> list[str]:
            print(file=asked, flush=True)
            return answers.readline().split()

        before = datetime.now(UTC)
        running = datetime.fromisoformat(ask()[1])
        clock.set(SEVEN + timedelta(milliseconds=250))
        standing = [ask(), ask()]
        clock.set(SEVEN - timedelta(days=300))
        back = ask()
        clock.jump_to(SEVEN + timedelta(days=3650))
        ahead = datetime.fromisoformat(ask()[1])
        clock.jump_to(SEVEN)
        still_ahead = datetime.fromisoformat(ask()[1])

    assert before <= running <= datetime.now(UTC)
    assert standing == [["1795244400250000000", "2026-11-21T07:00:00.250000+00:00"]] * 2
    assert back[1] == "2026-01-25T07:00:00+00:00"
    assert SEVEN + timedelta(days=3650) <= ahead < still_ahead <= clock.now()


def test_jobs_of_different_outages_share_no_shard() -> None:
    """Nor do they with jobs whose planner always comes; equal or later outages may share one."""
    found = shards_by_outage(
        {
            "calm": document(60),
            "short": document(60, (1, 10)),
            "equal": document(90, (1, 10)),
            "long": document(60, (1, 30)),
            "other": document(60, (2, 30)),
        }
    )

    assert found == {"calm": (0,), "short": (1,), "equal": (1,), "long": (2,), "other": (3,)}


def test_too_many_outages_at_once_are_refused() -> None:
    """A scenario would be played with the outage of another."""
    with pytest.raises(AssertionError, match="no shard for d"):
        shards_by_outage({name: document(60, (1, 10 + n)) for n, name in enumerate("abcd")})


@pytest.mark.parametrize(
    ("second", "minute"), [(0, 0), (1, 1), (60, 1)], ids=["full", "just after", "next"]
)
def test_ticks_come_at_full_minutes(second: int, minute: int) -> None:
    """At the instant itself if it is one."""
    assert next_minute(SEVEN + timedelta(seconds=second)) == SEVEN + timedelta(minutes=minute)


def test_changes_after_the_range_are_none() -> None:
    """A change at the end of the range is left out too."""
    edits = [{"at": SEVEN + timedelta(minutes=minute), "schedule": {}} for minute in (59, 60)]
    found = changes_of(document(60) | {"edits": edits})

    assert [(change.verb, change.at) for change in found] == [
        ("create", SEVEN),
        ("patch", SEVEN + timedelta(minutes=59)),
    ]


def test_gaps_of_one_reason_are_joined_until_a_run_or_another_reason_parts_them() -> None:
    """The API joins these records; the simulation shows them one by one."""

    def gap(first: str, last: str, reason: str) -> Row:
        row = {"first": first, "last": last, "count": 2, "reason": reason, "rolled_to": None}
        return row_of_gap(row, "skipped")

    ran = {"state": "skipped", "reason": "paused", "due_at": "3", "started_at": None}
    run = row_of_run("5", ran | {"ended_at": "5"})
    rows = [gap("1", "2", "paused"), gap("3", "4", "paused"), run, gap("6", "7", "paused")]
    found = joined([*rows, gap("8", "9", "excluded")])

    assert [row[:2] for row in found] == [
        ("1 to 4", "4"),
        ("5", "1"),
        ("6 to 7", "2"),
        ("8 to 9", "2"),
    ]


def test_the_difference_of_two_ledgers_is_a_table() -> None:
    """Rows that both have stand once; the others are marked, the simulated ones with a minus."""
    ran = {"state": "succeeded", "reason": None, "due_at": "07:00"}
    same = row_of_run("07:00", ran | {"started_at": "07:00", "ended_at": "07:01"})
    gap = {"first": "07:10", "last": "07:20", "count": 2, "reason": "paused", "rolled_to": None}
    late = row_of_run("07:10", ran | {"started_at": "07:21", "ended_at": "07:21"})

    assert difference([same, row_of_gap(gap, "skipped")], [same, late]).splitlines() == [
        "",
        "  instants        count  state      why     due    start  end    rolled to",
        "  07:00           1      succeeded  -       07:00  07:00  07:01  -",
        "- 07:10 to 07:20  2      skipped    paused  -      -      -      -",
        "+ 07:10           1      succeeded  -       07:00  07:21  07:21  -",
    ]
