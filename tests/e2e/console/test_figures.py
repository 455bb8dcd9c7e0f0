"""Figures and charts of the console: each number is the API's answer for the same window."""

from collections import Counter
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

import pytest
from playwright.sync_api import Browser

from infra.local.console.people import DEMO
from infra.local.console.site import ConsoleSite
from infra.local.webhook_target import Recorder
from tests.e2e.console.browser import visiting
from tests.e2e.console.desk import Desk
from tests.e2e.console.figured import Made, filled
from tests.e2e.console.reading import Reading, agree, counted, hour_of, length, milliseconds
from tests.e2e.console.test_actions import until
from tests.support.deployed.deployed_dags import ended, hook, started
from tests.support.deployed.stack import Stack, wait_until

MANUAL = {"kind": "manual"}
#: Stands for a number that nothing measured.
SILENT = "\N{EN DASH}"
STAGES = ("planned", "published", "received", "claimed", "started", "ended")


@pytest.fixture(scope="module")
def made(stack: Stack, recorder: Recorder) -> Made:
    """Runs of a job that succeeded and failed, a DAG run, and a backfill."""
    recorder.answer("figures", 200, 200, 404)
    action = {"type": "webhook", "url": recorder.url("figures")}
    job = str(stack.create_job(name="of figures", schedule=MANUAL, action=action)["job_id"])
    for count, state in [(1, "succeeded"), (2, "succeeded"), (1, "failed")]:
        stack.api.post(f"/v1/jobs/{job}/trigger").raise_for_status()
        stack.wait_for_runs(job, count, state=state, seconds=60)
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
def reading(stack: Stack, browser: Browser, site: ConsoleSite, made: Made) -> Iterator[Reading]:
    """One person reads every page once the work has ended; she signs in once."""
    assert made.operation
    with visiting(browser, site) as visit:
        visit.sign_in(DEMO)
        desk = Desk(visit)
        yield Reading(stack, desk)
        assert desk.complaints() == []


def test_the_overview_counts_what_the_api_counts(made: Made, reading: Reading) -> None:
    """Figures, the runs that failed last, and each hour of the week ahead."""
    reading.desk.go("/")

    def figures() -> list[str]:
        read = reading.answer("/v1/overview")
        of_day = read["usage"]["runs_per_day"]
        in_force = [each for each in read["freezes"] if each["state"] == "active"]
        last = read["usage"]["dags"] if of_day is None else of_day
        return [
            counted(read["failing"]["count"], is_partial=read["failing"]["is_partial"]),
            counted(read["dead_letters"]["count"], is_partial=read["dead_letters"]["is_partial"]),
            *(str(len(read["paused_jobs"])), str(len(in_force))),
            *(counted(read["usage"]["jobs"]), counted(last)),
        ]

    def failing() -> list[str]:
        return [
            f"/runs/{each['run_id']}"
            for each in reading.answer("/v1/overview")["failing"]["latest"]
        ]

    table = "table[aria-label='Runs that failed last'] a[href^='/runs/']"
    agree(lambda: reading.texts(".tg-figure"), figures)
    agree(lambda: reading.attributes(table, "href"), failing)
    hours = "td:not(.tg-heat-none)"
    agree(lambda: reading.attributes(f".tg-heat {hours}", "title"), lambda: heat(reading))

    assert f"/runs/{made.run}" in failing()


def heat(reading: Reading) -> list[str]:
    """Runs of each hour by the clock of this machine, which is the browser's."""
    read = reading.answer("/v1/forecast")
    begins = datetime.fromisoformat(read["from"])
    runs, busiest = Counter[datetime](), dict[datetime, int]()
    for minute in range(max((len(each["minutes"]) for each in read["queues"]), default=0)):
        hour = hour_of((begins + timedelta(minutes=minute)).isoformat())
        due = sum(each["minutes"][minute] for each in read["queues"])
        runs[hour] += due
        busiest[hour] = max(busiest.get(hour, 0), due)
    return [
        f"{runs[hour]:,} runs, {busiest[hour]:,} in the busiest minute" for hour in sorted(runs)
    ]


def test_each_lane_has_the_stages_numbers(stack: Stack, reading: Reading) -> None:
    """Metrics of executors and queues: the local cloud has them, of the runs that were made."""

    def measured() -> dict[str, Any] | None:
        read = stack.admin.get("/v1/stage/overview").raise_for_status().json()
        lags = [each for lane in read["lanes"] for each in lane["start_lag_ms"]["p99"]]
        return read if any(each is not None for each in lags) else None

    # The answer is another one each minute.
    wait_until(measured, seconds=150, what=lambda: stack.admin.get("/v1/stage/overview").text)
    reading.desk.go("/jobs")
    reading.desk.go("/")
    agree(lambda: reading.rows("Lanes of the stage"), lambda: lanes(reading))
    shown = {lane: cells for lane, *cells in reading.rows("Lanes of the stage")}

    assert SILENT not in shown["normal-short"], shown
    assert int(shown["normal-short"][2].replace(",", "")) >= 2
    assert int(shown["normal-short"][3].replace(",", "")) >= 1


def lanes(reading: Reading) -> list[list[str]]:
    """The worst lateness, the ends, and the last depth and age of each lane's queue."""
    read = reading.answer("/v1/stage/overview")

    def written(series: list[float | None], of: Any) -> str:  # noqa: ANN401 - a function
        known = [each for each in series if each is not None]
        return f"{int(of(known) + 0.5):,}" if known else SILENT

    return [
        [
            lane["lane"],
            written(lane["start_lag_ms"]["p50"], max),
            written(lane["start_lag_ms"]["p99"], max),
            written(lane["ended"]["succeeded"], sum),
            written(lane["ended"]["failed"], sum),
            written(lane["waiting"], lambda known: known[-1]),
            written(lane["oldest_seconds"], lambda known: known[-1]),
        ]
        for lane in read["lanes"]
    ]


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
    # What was planned before it was due has no stretch of its own.
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
                *(f"{s['kind']} from {s['begins_at']} to {s['ends_at']}" for s in each["spans"]),
            ]
        )
        for each in rows
    ]
    assert all(each["spans"] for each in rows)


def test_pools_and_decisions_count_what_waits(stack: Stack, reading: Reading) -> None:
    """Offers of a pool without a worker; failures by their cause."""
    pool = {"type": "worker", "pool": "of-figures", "handler": "none"}
    offered = stack.create_job(name="offered", schedule=MANUAL, action=pool)["job_id"]
    for _ in range(2):
        stack.api.post(f"/v1/jobs/{offered}/trigger").raise_for_status()
    until(stack, "/v1/pools/of-figures", depth=2)
    reading.desk.go("/pools")
    (listed,) = [
        each for each in reading.answer("/v1/pools")["pools"] if each["pool"] == "of-figures"
    ]
    (row,) = [row for row in reading.rows("Pools") if row[0] == "of-figures"]
    reading.desk.go("/pools/of-figures")
    agree(
        lambda: reading.facts()["Offers waiting"],
        lambda: counted(reading.answer("/v1/pools/of-figures")["depth"]),
    )
    depth = reading.asked_again("/v1/pools/of-figures")["depth"]
    reading.desk.go("/decisions")
    groups = reading.asked_again("/v1/decisions")["groups"]
    titles = reading.texts("h2")

    assert (row[2], row[4]) == (counted(listed["waiting"]["count"]), str(listed["jobs"]))
    assert depth == listed["waiting"]["count"] == 2
    assert groups
    for group in groups:
        cause = group["error_code"] or group["reason"] or "no error"
        assert any(cause in each and f"({group['count']})" in each for each in titles), titles


def test_operations_and_quotas_show_what_is_counted(made: Made, reading: Reading) -> None:
    """How far an operation came, and how much of each quota is used."""
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
