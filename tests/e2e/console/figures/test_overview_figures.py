"""Figures of the overview, of health, pools and decisions: each is the API's answer."""

from collections import Counter
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest

from infra.local.webhook_target import Recorder
from tests.e2e.console.acting import job, runs_that, until
from tests.e2e.console.desk import Desk
from tests.e2e.console.figures.figured import MANUAL, tried
from tests.e2e.console.reading import Reading, agree, counted, hour_of
from tests.support.deployed.stack import Stack, wait_until
from tests.support.deployed.timing.backdating import shift
from timegate.adapters.dynamo.tables.keys import attempt_key
from timegate.domain.values.identity import AttemptId, RunId
from timegate.domain.values.tenant import TenantId

pytestmark = pytest.mark.deep

#: Stands for a number that nothing measured.
SILENT = "\N{EN DASH}"


@pytest.fixture(scope="module")
def failed(stack: Stack, recorder: Recorder) -> str:
    """A run that failed for good, after two of its job that succeeded."""
    return str(stack.runs(tried(stack, recorder, "overview"))[0]["run_id"])


@pytest.fixture(scope="module")
def reading(stack: Stack, failed: str, desk: Desk) -> Reading:
    """One person reads every page once the work has ended."""
    assert failed
    return Reading(stack, desk)


def test_the_overview_counts_what_the_api_counts(failed: str, reading: Reading) -> None:
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

    assert f"/runs/{failed}" in failing()


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


@pytest.fixture
def late(stack: Stack) -> str:
    """A run of two minutes ago that waits for a worker of a pool without any."""
    job_id = job(stack, name="late for good", schedule=MANUAL, list_runs="all")
    stack.api.post(f"/v1/jobs/{job_id}/trigger").raise_for_status()
    (run,) = runs_that(stack, job_id, 1, "queued")
    first = attempt_key(TenantId(stack.tenant("first")), AttemptId(run=RunId.parse(run), number=1))
    shift(stack, "RunsTableName", first, due_at=timedelta(minutes=2))
    return run


def test_the_overview_lists_what_is_late_now(late: str, reading: Reading) -> None:
    """A run that is due for more than a minute, and has not begun."""

    def answered() -> list[str]:
        return [f"/runs/{each['run_id']}" for each in reading.answer("/v1/runs")["items"]]

    def is_read() -> bool | None:
        # A page that is opened anew within two seconds shows what it knows.
        reading.desk.go("/jobs")
        reading.desk.go("/")
        return f"/runs/{late}" in answered() or None

    wait_until(is_read, seconds=90, pause=1, what=answered)
    links = "table[aria-label='Runs that are late now'] a[href^='/runs/']"
    agree(lambda: reading.attributes(links, "href"), answered)
    agree(
        lambda: [row[-1] for row in reading.rows("Runs that are late now")],
        lambda: [each["explanation"] for each in reading.answer("/v1/runs")["items"]],
    )


def test_health_shows_what_the_verdict_was_made_of(reading: Reading) -> None:
    """Shards, lags and audits of the stage, and each problem with its remedy."""
    reading.desk.go("/health")

    def answered() -> dict[str, str]:
        read = reading.answer("/v1/health")
        shards, audit = read["shards"], read["audit"]
        lags = {
            side: SILENT if (lag := shards[f"{side}_lag_seconds"]) is None else counted(lag)
            for side in ("planner", "sweeper")
        }
        return {
            "Shards": f"{counted(shards['open'])} open, {counted(shards['in_use'])} in use",
            "Shards behind": counted(shards["behind"]),
            "Planner, worst (s behind)": lags["planner"],
            "Sweeper, worst (s behind)": lags["sweeper"],
            "Instants compared": counted(audit["instants"]),
        }

    agree(lambda: {name: reading.facts()[name] for name in answered()}, answered)
    problems = reading.answer("/v1/health")["problems"]
    said = reading.said()

    assert [each["remedy"] for each in problems if each["remedy"] not in said] == []
    assert int(answered()["Shards"].partition(" ")[0]) > 0


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

    def untold() -> list[str]:
        titles = reading.texts("h2")
        return [
            cause
            for group in reading.answer("/v1/decisions")["groups"]
            for cause in [group["error_code"] or group["reason"] or "no error"]
            if not any(cause in each and f"({group['count']})" in each for each in titles)
        ]

    assert (row[3], row[5]) == (counted(listed["waiting"]["count"]), str(listed["jobs"]))
    assert depth == listed["waiting"]["count"] == 2
    assert reading.answer("/v1/decisions")["groups"]
    agree(untold, list[str])


@pytest.fixture
def manned(stack: Stack) -> str:
    """A pool whose workers said what they take and have, but for one."""
    workers = {"of-figures-a": (4, 1), "of-figures-b": (2_000, 900), "of-figures-c": (None, None)}
    for worker, (capacity, in_use) in workers.items():
        asked = {"worker": worker, "max": 0, "capacity": capacity, "in_use": in_use}
        stack.api.post("/v1/pools/of-capacity/claim", json=asked).raise_for_status()
    until(stack, "/v1/pools/of-capacity", capacity=2_004)
    return "of-capacity"


def test_a_pool_shows_the_capacity_of_its_workers(manned: str, reading: Reading) -> None:
    """Each worker's use, and their sums."""
    path = f"/v1/pools/{manned}"
    reading.desk.go(f"/pools/{manned}")
    agree(
        lambda: [[row[0], row[2]] for row in reading.rows("Workers of the pool")],
        lambda: [[each["worker"], use(each)] for each in reading.answer(path)["workers"]],
    )
    agree(lambda: reading.facts()["Capacity in use"], lambda: use(reading.answer(path)))
    read = reading.asked_again(path)

    assert (read["capacity"], read["in_use"]) == (2_004, 901)
    assert read["last_seen_at"] == max(each["seen_at"] for each in read["workers"])


def test_pools_are_listed_with_their_capacity(manned: str, reading: Reading) -> None:
    """The sums of the pool's own page."""

    def listed() -> list[str]:
        found = reading.answer("/v1/pools")["pools"]
        return [use(each) for each in found if each["pool"] == manned]

    def is_listed() -> bool | None:
        # A page that is opened anew within two seconds shows what it knows.
        reading.desk.go("/jobs")
        reading.desk.go("/pools")
        return bool(listed()) or None

    wait_until(is_listed, seconds=30, pause=1, what=listed)
    agree(lambda: [row[2] for row in reading.rows("Pools") if row[0] == manned], listed)

    assert listed() == ["901 of 2,004"]


def use(said: dict[str, Any]) -> str:
    """Write the use of a worker, or of a pool, as pages do."""
    if said["capacity"] is None:
        return SILENT
    return f"{said['in_use']:,} of {said['capacity']:,}"


def test_each_lane_has_the_stages_numbers(reading: Reading) -> None:
    """Metrics of executors and queues: the local cloud has them, of the runs that were made."""

    def answered() -> list[list[str]]:
        return written(reading.answer("/v1/stage/overview"))

    def is_measured() -> bool | None:
        # Each process of the API answers the same for a minute.
        reading.desk.go("/jobs")
        reading.desk.go("/")
        (numbers,) = (row[1:] for row in answered() if row[0] == "normal-short")
        ends = [each.replace(",", "") for each in numbers[2:4]]
        return (SILENT not in numbers and int(ends[0]) >= 2 and int(ends[1]) >= 1) or None

    wait_until(is_measured, seconds=150, pause=1, what=answered)
    agree(lambda: reading.rows("Lanes of the stage"), answered)


def written(overview: dict[str, Any]) -> list[list[str]]:
    """The worst lateness, the ends, and the last depth and age of each lane's queue."""

    def summed(series: list[float | None], of: Callable[[list[float]], float]) -> str:
        known = [each for each in series if each is not None]
        return f"{int(of(known) + 0.5):,}" if known else SILENT

    return [
        [
            lane["lane"],
            summed(lane["start_lag_ms"]["p50"], max),
            summed(lane["start_lag_ms"]["p99"], max),
            summed(lane["ended"]["succeeded"], sum),
            summed(lane["ended"]["failed"], sum),
            summed(lane["waiting"], lambda known: known[-1]),
            summed(lane["oldest_seconds"], lambda known: known[-1]),
        ]
        for lane in overview["lanes"]
    ]
