"""The study of wheels and sheaves: its courses, the writes of a sheaf, and its page."""

import json
from dataclasses import replace

import pytest

from bench.scale.scenarios import DAY, FIRST, MINUTE
from bench.scale.wheels.__main__ import PAGE, RESULTS
from bench.scale.wheels.courses import loads
from bench.scale.wheels.model import Choices, Course, Wheel, WheelStage
from bench.scale.wheels.protocol import Rules, explore
from bench.scale.wheels.qualifies import against_a_sheaf
from bench.scale.wheels.report import page
from tests.support.factories import job_factory
from timegate.domain.jobs.delivery import DeliveryMode
from timegate.domain.limits.overlap import Overlap, OverlapPolicy
from timegate.domain.recurrence.schedule import Schedule, ScheduleKind


def played(
    members: int, *, every: int = DAY, until: float = FIRST + 60, **chosen: object
) -> Course:
    """Play one wheel."""
    stage = WheelStage(replace(Choices(), **chosen))  # type: ignore[arg-type]
    stage.register(Wheel(members=members, due=FIRST, every_seconds=every))
    return stage.run(until=until)


def test_every_member_of_a_wheel_begins_and_none_early() -> None:
    """Two shards share 501 members."""
    course = played(501)

    assert (course.lateness.count, course.sheaves, course.staged) == (501, 2, 2)
    assert (course.lateness.percentiles([0])[0] or 0) >= 0


@pytest.mark.parametrize(("members", "sheaves"), [(500, 1), (501, 2), (1_000, 2), (1_001, 3)])
def test_a_sheaf_has_five_hundred_runs_at_most(members: int, sheaves: int) -> None:
    """Both sides of the boundary."""
    assert played(members).sheaves == sheaves


def test_a_minutely_wheel_moves_once_in_its_look_ahead() -> None:
    """Ten instants have one body, and a run of each begins."""
    course = played(100, every=MINUTE, until=FIRST + 9 * MINUTE + 59)

    assert course.lateness.count == 100 * 10
    assert course.staged == 2


def test_units_of_a_run_are_those_of_its_share_of_a_sheaf() -> None:
    """A move takes 4 and 3 for its sheaf, a seal 2, five items of ends 10 each, and the end 2."""
    assert played(500).units == 4 + 3 + 2 + 5 * 10 + 2
    assert played(500, records_runs=True).units == 4 + 3 + 2 + 500 + 2


def test_executors_that_start_late_begin_runs_late() -> None:
    """A lead of a second does not cover a cold start and its body."""
    early, late = played(500, lead_seconds=60), played(500, lead_seconds=1)

    assert (late.lateness.percentiles([0])[0] or 0) > (early.lateness.percentiles([0])[0] or 0)


def test_no_order_of_a_sheafs_writes_breaks_a_promise() -> None:
    """Two executors, a death, a caller and a sweeper."""
    states, broken = explore()

    assert (states > 500, broken) == (True, {})


@pytest.mark.parametrize(
    "name", ["seal_names_revocations", "revoke_names_phase", "end_names_fence"]
)
def test_each_condition_of_a_sheafs_writes_is_needed(name: str) -> None:
    """Without it the search finds an order that breaks a promise."""
    assert explore(Rules(**{name: False}))[1]


def test_a_plain_recurring_job_may_be_in_a_sheaf() -> None:
    """Its definition has nothing that is decided run by run."""
    assert against_a_sheaf(job_factory()) == []


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"schedule": Schedule(kind=ScheduleKind.MANUAL)}, "it fires once or by triggers"),
        ({"delivery": DeliveryMode.AT_MOST_ONCE}, "`at_most_once`"),
        ({"delivery": DeliveryMode.EXACTLY_ONCE}, "`exactly_once`"),
        ({"overlap": Overlap(policy=OverlapPolicy.QUEUE)}, "`overlap`"),
        ({"tenant_runs": 5}, "a tenant's quota"),
    ],
)
def test_jobs_that_are_decided_run_by_run_stay_as_they_are(
    fields: dict[str, object], reason: str
) -> None:
    """One reason each."""
    (found,) = against_a_sheaf(job_factory(**fields))

    assert found.startswith(reason)


def test_the_page_has_the_results_that_are_kept() -> None:
    """``make bench-wheels`` writes both anew."""
    results = json.loads(RESULTS.read_text())

    assert PAGE.read_text() == page(results)
    assert [(each["load"], each["choice"]) for each in results["loads"]] == [
        (load.name, label) for load in loads() for label in load.choices
    ]
