"""The table of the chaos course: recovery is counted from the worker's death."""

from datetime import timedelta

import pytest

from tests.support.deployed.chaos.chaos_table import Death, Struck, recovery, rows
from tests.unit.test_chaos_judge import DUE, a_call, a_run, a_story

DEATH = Death(function="lane", at=DUE + timedelta(seconds=1))
STRUCK = Struck(job="job", death=DEATH)


def a_death(seconds: float, function: str = "lane") -> Death:
    """A kill so long after the job's instant."""
    return Death(function=function, at=DUE + timedelta(seconds=seconds))


def an_ended_run(seconds: float) -> dict[str, object]:
    """A run whose end is on record so long after its instant."""
    at = (DUE + timedelta(seconds=seconds)).isoformat()
    return {**a_run(), "attempts": [{"attempt": 1, "fence": 1, "ended_at": at}]}


def test_a_repeated_call_is_a_recovery() -> None:
    """The next worker's call ends the wait, though the run ends later."""
    calls = [a_call(seconds=0.2), a_call(2, seconds=31.0)]
    story = a_story("at_least_once", calls=calls, runs=[an_ended_run(33.0)])

    back = recovery(story, STRUCK, [DEATH])

    assert back is not None
    assert (back.seconds, back.since_last, back.deaths) == pytest.approx((30.0, 30.0, 1))


def test_an_end_on_record_is_a_recovery() -> None:
    """A run of at most one execution recovers when its death is on record."""
    story = a_story("at_most_once", runs=[an_ended_run(41.5)])

    back = recovery(story, STRUCK, [DEATH])

    assert back is not None
    assert (back.seconds, back.since_last, back.deaths) == pytest.approx((40.5, 40.5, 1))


def test_further_deaths_in_the_lane_before_the_recovery_are_counted() -> None:
    """Kills before the worker's own, after the recovery and in other lanes are none of them."""
    story = a_story("at_most_once", runs=[an_ended_run(41.5)])
    others = [a_death(0.9), a_death(11.5), a_death(21.5), a_death(30.0, "another"), a_death(41.6)]
    back = recovery(story, STRUCK, [DEATH, *others])

    assert back is not None
    assert (back.seconds, back.since_last, back.deaths) == pytest.approx((40.5, 20.0, 3))


def test_an_end_before_the_death_is_none() -> None:
    """A worker that had recorded the end leaves nothing to recover."""
    assert recovery(a_story("at_most_once", runs=[an_ended_run(0.9)]), STRUCK, [DEATH]) is None


def test_each_mode_has_a_row_of_its_own() -> None:
    """Deaths and lateness count for the mode of the job that they met."""
    struck = a_story("at_most_once", runs=[an_ended_run(41.5)])
    found = rows("kills", [struck], [STRUCK], [DEATH])

    assert found == [
        "| kills | `at_least_once` | 0 | - | 0 | - | - |",
        "| kills | `exactly_once` | 0 | - | 0 | - | - |",
        "| kills | `at_most_once` | 1 | 0.2 / 0.2 / 0.2 s | 1 | 1: 40.5 / 40.5 s | - |",
    ]


def test_a_recovery_with_further_deaths_has_a_column_of_its_own() -> None:
    """Its seconds stand from the first death and from the last."""
    struck = a_story("at_most_once", runs=[an_ended_run(41.5)])
    found = rows("kills", [struck], [STRUCK], [DEATH, a_death(21.5)])

    assert found[2].endswith("| 1 | - | 1: 40.5 s, 20 s |")
