"""The judge of ``tests/e2e/faults/test_chronos.py`` accepts what is right, and nothing else."""

from datetime import timedelta
from typing import Any

import pytest

from tests.support.deployed.chaos.chronos_judge import Band, Entry, Trial, complaints
from tests.support.deployed.chaos.chronos_subjects import Subject, every, rate, shown
from tests.support.factories import NOW, after

#: Planned up to 20 s; the planner was away until 120 s, when 30 to 60 s were a minute old.
PLANNED = Band(earliest=after(20), latest=after(21))
BACK = Band(earliest=after(121), latest=after(122))
UNTIL = after(200)


def run(seconds: float, state: str = "succeeded", reason: str | None = None) -> Entry:
    """A run, as the API shows it."""
    return {"kind": "run", "instant": after(seconds).isoformat(), "state": state, "reason": reason}


def late(seconds: float, *, by: float) -> Entry:
    """A run that was refused so many seconds after its instant."""
    ended_at = after(seconds + by).isoformat()
    return {**run(seconds, "skipped", "late"), "ended_at": ended_at}


def gap(first: float, last: float, count: int, reason: str = "missed_window") -> Entry:
    """A gap, as the API shows it."""
    ends = {"first": after(first).isoformat(), "last": after(last).isoformat()}
    return {"kind": "gap", "count": count, "reason": reason, **ends}


def trial(entries: list[Entry], **fields: Any) -> list[str]:  # noqa: ANN401 - of the subject
    """Return the judge's complaints about a job of each ten seconds with these records."""
    subject = Subject(name="tens", schedule=rate(10), named=every(10), **fields)
    return complaints(
        Trial(
            subject=subject,
            named=subject.named(NOW, UNTIL),
            entries=entries,
            planned=PLANNED,
            back=BACK,
            paused=None,
        )
    )


def runs(first: int, last: int) -> list[Entry]:
    """Runs that succeeded, ten seconds apart."""
    return [run(seconds) for seconds in range(first, last + 1, 10)]


RIGHT = [*runs(10, 20), gap(30, 60, 4), *runs(70, 200)]


@pytest.mark.parametrize(
    ("entries", "fields"),
    [
        pytest.param(RIGHT, {"caught_up": 0}, id="skip"),
        pytest.param(
            [*runs(10, 20), gap(30, 50, 3), *runs(60, 200)], {"caught_up": 1}, id="latest"
        ),
        pytest.param(runs(10, 200), {}, id="all"),
        pytest.param(
            [*runs(10, 20), gap(30, 50, 3), *runs(60, 200)], {"window_seconds": 65}, id="window"
        ),
        pytest.param(
            [
                *runs(10, 20),
                *(late(s, by=45.001) for s in (30, 40, 50, 60, 70)),
                *runs(80, 200),
            ],
            {"start_within_seconds": 45},
            id="late",
        ),
    ],
)
def test_what_is_right_is_accepted(entries: list[Entry], fields: dict[str, Any]) -> None:
    """Each instant once, and as many left out as the policy says."""
    assert trial(entries, **fields) == []


@pytest.mark.parametrize(
    "entries",
    [
        pytest.param([e for e in RIGHT if e != run(100)], id="missing"),
        pytest.param([*RIGHT, run(100)], id="twice"),
        pytest.param([*RIGHT, run(105)], id="not-named"),
        pytest.param([*RIGHT, run(40)], id="run-and-gap"),
        pytest.param([run(10, "skipped", "overlap"), *RIGHT[1:]], id="unexplained"),
        pytest.param([run(10, "queued"), *RIGHT[1:]], id="not-ended"),
        pytest.param([late(10, by=60), *RIGHT[1:]], id="late-without-limit"),
        pytest.param([run(10, "skipped", "paused"), *RIGHT[1:]], id="paused-never"),
        pytest.param([*runs(10, 20), gap(30, 60, 5), *runs(70, 200)], id="miscounted"),
        pytest.param([*runs(10, 20), gap(30, 60, 4, "superseded"), *runs(70, 200)], id="reason"),
        pytest.param([*runs(10, 20), gap(30, 50, 3), *runs(60, 200)], id="one-ran"),
        pytest.param([*runs(10, 20), gap(30, 70, 5), *runs(80, 200)], id="one-too-many"),
        pytest.param(
            [*runs(10, 80), gap(90, 120, 4), *runs(130, 200)], id="left-out-without-an-outage"
        ),
    ],
)
def test_what_is_wrong_is_seen(entries: list[Entry]) -> None:
    """The job skips the instants that it missed."""
    assert trial(entries, caught_up=0) != []


def test_what_could_have_started_was_not_late() -> None:
    """Refused when it had just as long as it may take, and not longer."""
    entries = [*runs(10, 20), *(late(s, by=45) for s in (30, 40, 50, 60, 70)), *runs(80, 200)]

    assert [
        "tens: late for no reason" in said for said in trial(entries, start_within_seconds=45)
    ] == [True]


def test_seconds_are_those_that_a_clock_shows() -> None:
    """From the creation on, up to a bound, and no more than asked for."""
    named = shown("Asia/Kathmandu", {3, 17}, end=after(70), most=3)

    assert named(NOW + timedelta(seconds=4), UNTIL) == [after(17), after(63)]
    assert named(NOW, UNTIL) == [after(3), after(17), after(63)]
    assert named(NOW + timedelta(milliseconds=3001), after(20)) == [after(17)]
