"""Figures and charts of jobs, runs and operations: each is the API's answer for its window."""

from collections import Counter

import pytest

from infra.local.webhook_target import Recorder
from tests.e2e.console.desk import Desk
from tests.e2e.console.figures.figured import Made, filled, tried
from tests.e2e.console.reading import Reading, counted, hour_of, length, milliseconds, moment
from tests.support.deployed.deployed_dags import ended, hook, started
from tests.support.deployed.stack import Stack

pytestmark = pytest.mark.wide

STAGES = ("planned", "published", "received", "claimed", "started", "ended")


@pytest.fixture(scope="module")
def made(stack: Stack, recorder: Recorder) -> Made:
    """Runs of a job that succeeded and failed, a DAG run, and a backfill."""
    job = tried(stack, recorder, "figures")
    recorder.answer("figures-dag", 200, 200)
    first, second = hook(recorder, "figures-dag"), hook(recorder, "figures-dag")
    dag_run = started(
        stack,
        {
            "name": "of figures",
            "tasks": [{**first, "key": "first"}, {**second, "key": "second"}],
            "edges": [{"source": "first", "target": "second"}],
        },
    )
    ended(stack, dag_run, "succeeded")
    hourly, operation = filled(stack, recorder)
    return Made(job, stack.runs(job)[0]["run_id"], hourly, dag_run, operation)


@pytest.fixture(scope="module")
def reading(stack: Stack, desk: Desk, made: Made) -> Reading:
    """One person reads every page once the work has ended."""
    assert made.operation
    return Reading(stack, desk)


def test_a_job_shows_its_numbers_and_its_times(made: Made, reading: Reading) -> None:
    """Percentiles, and a mark and a row for each run that was measured."""
    path = f"/v1/jobs/{made.job}"
    reading.desk.go(f"/jobs/{made.job}")
    read = reading.asked_again(f"{path}/statistics")
    shown = reading.facts()
    spread = {
        name: f"{length(of['p50'])} and {length(of['p95'])}, of {of['count']} runs"
        for name, of in ((each, read[each]) for each in ("duration_ms", "lateness_ms"))
    }

    assert read == reading.answer(f"{path}/statistics")
    assert read["runs"] == 3
    assert shown["Runs read"] == "3"
    assert shown["Duration, p50 and p95"] == spread["duration_ms"]
    assert shown["Lateness, p50 and p95"] == spread["lateness_ms"]
    assert shown["Streak"] == f"{read['streak']['count']} {read['streak']['outcome']} in a row"

    reading.desk.go(f"/jobs/{made.job}?tab=times")
    runs = reading.asked_again(f"{path}/runs")["items"]
    for name, field in (("Duration", "duration_ms"), ("Lateness", "lateness_ms")):
        marks = reading.attributes(f"svg[aria-label^='{name} of 3 runs'] [data-run]", "data-run")
        table = [row[-1] for row in reading.rows(f"{name} of each run, the latest first")]

        assert marks == [each["run_id"] for each in reversed(runs)]
        assert table == [f"{max(0, each[field]):,}" for each in runs]


def test_the_ledger_has_a_cell_for_each_hour_with_records(made: Made, reading: Reading) -> None:
    """Runs of a backfill, each at its hour."""
    path = f"/v1/jobs/{made.hourly}/ledger"
    reading.desk.go(f"/jobs/{made.hourly}")
    ledger = reading.asked_again(path)["items"]
    cells = Counter(hour_of(each["instant"]) for each in ledger if each["kind"] == "run")
    drawn = reading.attributes(".ledger td button", "aria-label")

    assert len(cells) == len(ledger) >= 5
    assert sorted(drawn) == [
        f"{hour:%Y-%m-%d %H:%M}: succeeded, one instant" for hour in sorted(cells)
    ]


def test_a_run_shows_where_its_time_went(made: Made, reading: Reading) -> None:
    """Each stage since it was due, and the length of each stretch."""
    reading.desk.go(f"/runs/{made.run}")
    read = reading.asked_again(f"/v1/runs/{made.run}")
    (attempt,) = read["attempts"]
    since = {
        stage: milliseconds(attempt["due_at"], attempt["timeline"][f"{stage}_at"])
        for stage in STAGES
    }
    listed = [row for row in reading.rows_of(".tg-scroll table") if row[0].lower() in STAGES]
    ends = [
        max(0.0, *(since[each] for each in STAGES[: place + 1])) for place in range(len(STAGES))
    ]
    spans = [later - former for former, later in zip([0.0, *ends], ends, strict=False)]
    # A run planned before it was due has no stretch for that.
    spans = spans[1:] if spans[0] == 0 else spans

    assert [row[0].lower() for row in listed] == list(STAGES)
    assert [row[2] for row in listed] == [
        f"+{length(ms)}" if ms >= 0 else f"{length(-ms)} before" for ms in since.values()
    ]
    assert reading.texts("[role=listitem] .tg-waterfall-length") == [length(ms) for ms in spans]


def test_a_dag_run_shows_the_states_and_spans_of_its_tasks(made: Made, reading: Reading) -> None:
    """The grid of its DAG, and the bars of its Gantt chart in words."""
    path = f"/v1/dag-runs/{made.dag_run}"
    run = reading.stack.api.get(path).json()
    reading.desk.go(f"/dags/{run['dag_id']}")
    grid = reading.attributes(".tg-grid td a", "aria-label")
    reading.desk.go(f"/dag-runs/{made.dag_run}?view=gantt")
    rows = reading.asked_again(f"{path}/gantt")["rows"]

    assert grid == [f"{each['key']}: {each['state']}" for each in run["tasks"]]
    assert reading.texts(".tg-gantt-task .tg-gantt-title") == [each["title"] for each in rows]
    assert reading.texts(".tg-gantt-task .tg-visually-hidden") == [
        "; ".join(
            [
                each["state"],
                *(
                    f"{span['kind']} from {moment(span['begins_at'])} to {moment(span['ends_at'])}"
                    for span in each["spans"]
                ),
            ]
        )
        for each in rows
    ]
    assert all(each["spans"] for each in rows)


def test_operations_and_quotas_show_what_is_counted(made: Made, reading: Reading) -> None:
    """An operation shows its progress, and the tenant page the use of each quota."""
    reading.desk.go(f"/operations/{made.operation}")
    counts = reading.asked_again(f"/v1/operations/{made.operation}")["counts"]
    said = reading.said()
    reading.desk.go("/tenant")
    bars = reading.said()
    own = reading.asked_again("/v1/tenant")

    assert f"{counts['done']} of {counts['matched']} done" in said
    assert counts["matched"] >= 5
    for name in ("jobs", "dags"):
        assert f"{counted(own['usage'][name])} of {counted(own['effective_quotas'][name])}" in bars
