"""The judge of the chaos course: each way of breaking a promise is noticed."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from tests.support.deployed.chaos.chaos_course import Subject
from tests.support.deployed.chaos.chaos_judge import Story, complaints, counted
from tests.support.deployed.effects import Call

DUE = datetime(2026, 11, 21, 7, 0, tzinfo=UTC)
INSTANT = "2026-11-21T07:00:00.000Z"


def a_call(fence: int = 1, *, key: str = "run", seconds: float = 0.2) -> Call:
    """A call that was made soon after the instant."""
    return Call(key=key, fence=fence, arrived_at=DUE + timedelta(seconds=seconds))


def a_run(state: str = "succeeded", reason: str | None = None) -> dict[str, Any]:
    """A run with one attempt, as the API shows it."""
    return {
        "run_id": "run",
        "state": state,
        "reason": reason,
        "scheduled_at": INSTANT,
        "attempts": [{"attempt": 1, "fence": 1}],
        "duplicates_prevented": 0,
    }


def an_entry(state: str = "succeeded") -> dict[str, Any]:
    """The ledger's word on it."""
    return {"kind": "run", "instant": INSTANT, "run_id": "run", "state": state}


def a_story(mode: str, **changes: Any) -> Story:  # noqa: ANN401 - of any field
    """A job of whose run there is nothing to complain."""
    subject = Subject(name="job", mode=mode, job_id="j", due_at=DUE)
    story = Story(
        subject=subject,
        status="completed",
        runs=[a_run()],
        ledger=[an_entry()],
        calls=[a_call()],
        effects=1,
    )
    return replace(story, **changes)


def a_stray(*, fence: int = 0, state: str = "skipped") -> dict[str, Any]:
    """A run of a creator that was struck, as the API shows it."""
    return a_run(state, "superseded") | {
        "run_id": "stray",
        "scheduled_at": "2026-11-21T06:59:58.000Z",
        "attempts": [{"attempt": 1, "fence": fence}],
    }


STRAY_ENTRY = {
    "kind": "run",
    "instant": "2026-11-21T06:59:58.000Z",
    "run_id": "stray",
    "state": "skipped",
}
DIED = {"runs": [a_run("failed", "worker_died")], "ledger": [an_entry("failed")]}
FAILED = {"runs": [a_run("failed", "permanent")], "ledger": [an_entry("failed")]}


@pytest.mark.parametrize(
    ("mode", "changes"),
    [
        ("at_least_once", {}),
        ("at_least_once", {"calls": [a_call(), a_call(2)], "effects": 2}),
        (
            "at_least_once",
            {"runs": [a_run(), a_stray()], "ledger": [STRAY_ENTRY, an_entry()]},
        ),
        ("exactly_once", {"calls": [a_call(), a_call(2)]}),
        ("at_most_once", {}),
        ("at_most_once", DIED),
        ("at_most_once", DIED | {"effects": 0}),
        ("at_most_once", DIED | {"calls": [], "effects": 0}),
    ],
    ids=[
        "at-least",
        "twice",
        "stray",
        "exactly",
        "at-most",
        "died-after",
        "died-before",
        "never-called",
    ],
)
def test_what_is_promised_is_accepted(mode: str, changes: dict[str, Any]) -> None:
    """Each mode allows these ends of a run."""
    story = a_story(mode, **changes)

    assert complaints([story]) == []


@pytest.mark.parametrize(
    ("mode", "changes", "complaint"),
    [
        ("at_least_once", {"runs": []}, "0 runs"),
        ("at_least_once", {"runs": [a_run(), a_run()]}, "2 runs"),
        ("at_least_once", {"runs": [a_stray()]}, "0 runs"),
        ("at_least_once", {"runs": [a_run(), a_stray(fence=1)]}, "2 runs"),
        ("at_least_once", {"runs": [a_run(), a_stray(state="succeeded")]}, "2 runs"),
        ("at_least_once", {"runs": [a_run(), a_stray()]}, "the ledger"),
        ("at_least_once", {"calls": [a_call(), a_call(2, key="stray")]}, "another run's key"),
        ("at_least_once", DIED, "no success"),
        ("at_most_once", FAILED, "no success"),
        ("at_least_once", {"effects": 0}, "no effect"),
        ("at_most_once", {"effects": 0}, "no effect"),
        ("exactly_once", {"effects": 2}, "effects"),
        ("at_most_once", DIED | {"effects": 2}, "effects"),
        ("at_most_once", DIED | {"calls": [a_call(), a_call(2)]}, "calls"),
        ("at_least_once", {"calls": [a_call(), a_call(2, key="x")]}, "another run's key"),
        ("at_least_once", {"calls": [a_call(), a_call()]}, "a fence given twice"),
        ("at_least_once", {"calls": [a_call(seconds=-0.001)]}, "early"),
        ("at_least_once", {"ledger": []}, "the ledger"),
        ("at_least_once", {"ledger": [an_entry(), an_entry()]}, "the ledger"),
        ("at_least_once", {"ledger": [an_entry("queued")]}, "the ledger"),
    ],
    ids=[
        *("lost", "doubled", "stray-alone", "stray-claimed", "stray-done", "stray-unlisted"),
        *("stray-called", "died", "failed", "succeeded-idly", "once-idly"),
        *("exactly-twice", "at-most-twice", "called-again", "key", "fence", "early"),
        *("no-entry", "two-entries", "open-entry"),
    ],
)
def test_what_is_not_promised_is_noticed(
    mode: str, changes: dict[str, Any], complaint: str
) -> None:
    """Each complaint, by itself."""
    found = complaints([a_story(mode, **changes)])

    assert [complaint] == [each.partition(": ")[2].partition(";")[0] for each in found]


def test_attempts_have_fences_of_their_own() -> None:
    """A retry under the fence of the attempt before it could be taken for a duplicate."""
    run = a_run() | {"attempts": [{"attempt": 1, "fence": 2}, {"attempt": 2, "fence": 2}]}
    (found,) = complaints([a_story("at_least_once", runs=[run])])

    assert "attempts out of order" in found


def test_an_instant_of_its_own_making_is_noticed() -> None:
    """A run is for the instant that the job's schedule named."""
    run = a_run() | {"scheduled_at": "2026-11-21T07:00:00.001Z"}
    entry = an_entry() | {"instant": "2026-11-21T07:00:00.001Z"}
    (found,) = complaints([a_story("at_least_once", runs=[run], ledger=[entry])])

    assert "the instant" in found


def test_counts_say_what_happened() -> None:
    """A job that was called twice, one that was not called, and the lateness of those that were."""
    stories = [
        a_story("at_least_once", calls=[a_call(seconds=0.5), a_call(2)], effects=2),
        a_story("at_most_once", **DIED, calls=[], effects=0),
    ]
    counts = counted(stories)

    assert counts["ended"] == {"succeeded": 1, "failed:worker_died": 1}
    assert counts["called more than once"] == 1
    assert counts["never called"] == 1
    assert counts["effects"] == {"at_least_once": 2}
    assert counts["late_s"] == {"p50": 0.5, "p90": 0.5, "p95": 0.5, "p99": 0.5, "p100": 0.5}
