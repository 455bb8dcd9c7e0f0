"""Courses of the model: small ones, and the page of the large ones."""

import json
from dataclasses import replace

import pytest

from bench.scale.__main__ import PAGE, RESULTS
from bench.scale.courses import courses
from bench.scale.model.stage import Choices, Course, Stage
from bench.scale.report import page
from bench.scale.scenarios import DAY, FIRST, MINUTE, jobs_due, minutely, spread
from bench.scale.units import units_of
from infra.stage.settings import STAGES

PROD = Choices(settings=STAGES["prod"])


def played(
    jobs: int,
    *,
    seconds: int = 60,
    choices: Choices = PROD,
    work_seconds: float = 0.2,
    seed: int = 1,
) -> Course:
    """Play daily jobs that are due over some seconds, until all have begun."""
    stage = Stage(choices, work_seconds=work_seconds, seed=seed)
    for each in spread(jobs, seconds=seconds):
        stage.register(each)
    return stage.run(until=FIRST + 600, runs=jobs)


def p99(course: Course) -> float:
    """Return the 99th percentile of lateness, in seconds."""
    (found,) = course.lateness.percentiles([99])
    assert found is not None
    return found


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_an_idle_stage_starts_runs_within_a_second_and_none_early(seed: int) -> None:
    """The queue rounds to a second, centred on the instant; all that are planned begin."""
    warm = replace(PROD, warm=5)
    course = played(600, choices=warm, seed=seed)

    assert (course.runs, course.begun, course.moves) == (600, 600, 600)
    assert course.lateness.percentiles([0])[0] == 0
    assert p99(course) < 1


def test_a_course_is_the_same_each_time() -> None:
    """Chance has a seed."""
    assert played(2_000).starts == played(2_000).starts


def test_every_job_is_planned_before_it_is_due() -> None:
    """Ticks see it for ten minutes."""
    stage = Stage(PROD, work_seconds=0.2)
    for each in spread(10_000, seconds=1):
        stage.register(each)
    course = stage.run(until=FIRST - 1)

    assert (course.runs, course.begun) == (10_000, 0)


def test_colder_tables_start_no_run_earlier() -> None:
    """4,000 units a second plan and claim a burst of 20,000 later than 40,000 do."""
    cold = played(20_000, seconds=1)
    warm = played(20_000, seconds=1, choices=replace(PROD, table_units=40_000))

    assert cold.begun == warm.begun == 20_000
    assert p99(cold) > p99(warm)


def test_provisioned_pollers_begin_a_burst_sooner() -> None:
    """The event source is the first to make such a burst wait."""
    warm = replace(PROD, table_units=40_000, warm=1_000)
    standard = played(20_000, seconds=1, choices=warm)
    provisioned = played(20_000, seconds=1, choices=replace(warm, pollers=100))
    first = standard.first_to_saturate(since=FIRST - 1)

    assert first is not None
    assert first.name == "normal-short: event source"
    assert p99(provisioned) < p99(standard) / 2


def test_an_account_bounds_the_environments_of_a_course() -> None:
    """Eight executions beside what other functions have."""
    assert played(600, choices=replace(PROD, concurrency=8)).most_busy <= 8


def test_calls_that_last_share_environments() -> None:
    """Two a second of 30 s are sixty at once, and four batches of ten are too few for them."""
    few = replace(PROD, lane="normal-long", concurrency=4, warm=4)
    alone = {key: replace(each, runs_at_once=0) for key, each in PROD.settings.classes.items()}
    tens = replace(few, settings=replace(PROD.settings, classes=alone))
    shared, apart = (played(120, choices=choices, work_seconds=30) for choices in (few, tens))

    assert (shared.begun, apart.begun) == (120, 120)
    assert p99(shared) < p99(apart) / 2
    assert shared.environment_seconds < apart.environment_seconds * 2 / 3


def test_minutely_jobs_run_each_minute() -> None:
    """Sixty a minute of 420 jobs in seven groups, once all are planned."""
    stage = Stage(replace(PROD, warm=50), work_seconds=0.2, counted_from=FIRST)
    for each in minutely(4_200):
        stage.register(each)
    course = stage.run(until=FIRST + 120)

    assert course.begun == pytest.approx(4_200 * 2, rel=0.02)


def test_idle_jobs_move_nothing() -> None:
    """Ten million of them are due much later."""
    stage = Stage(PROD, work_seconds=0.2)
    stage.register(jobs_due(10_000_000, 80_000))
    course = stage.run(until=FIRST)

    assert (course.moves, sum(course.units.values())) == (0, 0)


@pytest.mark.parametrize(
    ("every", "plan", "runs"), [(DAY, 7, 1), (MINUTE, 5 + 2 * 10, 10)], ids=["daily", "minutely"]
)
def test_units_are_those_of_the_real_stores(every: int, plan: int, runs: int) -> None:
    """``tests/unit/usecases/planning/test_planning_units.py`` counts alike; a claim takes one,
    and an end two."""
    counted = units_of(every)

    assert (sum(counted.plan.values()), counted.runs) == (plan, runs)
    assert sum(counted.execute.values()) == 3


def test_the_page_has_the_results_that_are_kept() -> None:
    """``make bench-scale`` writes both anew."""
    results = json.loads(RESULTS.read_text())

    assert PAGE.read_text() == page(results)
    assert [(each["scenario"], each["stage"]) for each in results] == [
        (scenario.name, label) for scenario in courses() for label in scenario.choices
    ]
