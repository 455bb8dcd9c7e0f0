"""Archived runs: listed by the days of their ends, read, and named where their records expired."""

from datetime import timedelta

import pytest

from tests.functional.api.runs.test_runs import execute, trigger
from tests.support.api import Api
from tests.support.archived import LONG_AGO, archived_attempt, keep_archived
from tests.support.factories import NOW, OTHER_TENANT, attempt_id
from tests.support.operations.burying import dead_factory
from timegate.adapters.archive import archived_runs
from timegate.adapters.archive.ended_records import DynamoEndedRecords
from timegate.adapters.dynamo.tables.keys import attempt_key
from timegate.adapters.parquet.writer import ParquetFiles
from timegate.domain.runs.resolution import Resolution, Settled
from timegate.domain.runs.run import Attempt
from timegate.domain.values.identity import RunId
from timegate.domain.values.tenant import TenantId
from timegate.usecases.archive.archive_round import archive_round
from timegate.usecases.archive.archive_services import Archiving

PATH = "/v1/archive/runs"


def archive(api: Api, *, days: float = 9) -> None:
    """Let days pass, and the archiver have a tick."""
    world = api.world
    world.clock.advance(days * 86_400)
    archiving = Archiving(
        records=DynamoEndedRecords(
            world.tables.engine, jobs_table="jobs", runs_table="runs", size_of=lambda _: 0
        ),
        files=world.archive_files,
        format=ParquetFiles(),
        telemetry=world.telemetry,
    )
    archive_round(archiving, lambda: True, now=world.clock.now())


def expire(api: Api, run_id: str) -> None:
    """Let the record of a run expire, and its retention pass."""
    attempts: list[Attempt] = [
        each for each in api.world.tables.attempts.values() if str(each.id.run) == run_id
    ]
    for each in attempts:
        api.world.tables.engine.remove("runs", attempt_key(each.tenant, each.id))
    api.world.clock.advance(timedelta(days=31).total_seconds())


def run_ids(api: Api, query: str = "", *, tenant: TenantId | None = None) -> list[str]:
    """The archived runs of one page."""
    given = {} if tenant is None else {"tenant": tenant}
    return [run["run_id"] for run in api.send("GET", f"{PATH}{query}", **given).body["items"]]


def test_an_archived_run_is_read_as_it_was(api: Api) -> None:
    """With its attempts, in the form that it had."""
    run_id = trigger(api)
    execute(api)
    before = api.send("GET", f"/v1/runs/{run_id}").body
    archive(api)
    expire(api, run_id)
    answer = api.send("GET", f"{PATH}/{run_id}")

    assert answer.status == 200
    assert answer.body == before


@pytest.mark.parametrize(("hours", "status"), [(40, 200), (64, 404)])
def test_a_run_that_was_cancelled_the_day_before_its_instant_is_found(
    api: Api, hours: int, status: int
) -> None:
    """One that is due tomorrow ends today; it is Saturday, 07:00. SQL finds earlier ends."""
    job_id = RunId.parse(trigger(api)).job_id
    delayed = {"delay_seconds": hours * 3600}
    run_id = api.send("POST", f"/v1/jobs/{job_id}/trigger", delayed).body["run_id"]
    api.send("POST", f"/v1/runs/{run_id}/cancel")
    archive(api)
    expire(api, run_id)

    assert api.send("GET", f"{PATH}/{run_id}").status == status


def test_an_expired_run_is_named_with_its_place_in_the_archive(api: Api) -> None:
    """A code of its own, and the partition of its instant; a new id is only unknown."""
    run_id = trigger(api)
    execute(api)
    expire(api, run_id)
    for path in (f"/v1/runs/{run_id}", f"/v1/runs/{run_id}/attempts"):
        answer = api.send("GET", path)
        assert (answer.status, answer.body["code"]) == (404, "run_expired")
        assert answer.body["archived_in"] == "attempts/tenant=acme/day=2026-11-21/"
        assert f"GET /v1/archive/runs/{run_id} looks for it" in answer.body["detail"]


@pytest.mark.parametrize(("seconds", "code"), [(0, "run_not_found"), (0.001, "run_expired")])
def test_a_run_may_have_expired_after_its_retention(api: Api, seconds: float, code: str) -> None:
    """Thirty days after its instant, and not at their end."""
    unknown = RunId.parse(trigger(api))
    other = str(unknown).replace(unknown.job_id, "a" * 26)
    api.world.clock.advance(timedelta(days=30).total_seconds() + seconds)

    assert api.send("GET", f"/v1/runs/{other}").body["code"] == code


def test_a_run_that_is_not_archived_is_not_found(api: Api) -> None:
    """Before the round of its day, and where no run has the id."""
    run_id = trigger(api)
    execute(api)

    assert api.send("GET", f"{PATH}/{run_id}").body["code"] == "run_not_found"


def test_archived_runs_are_listed_latest_day_first(api: Api) -> None:
    """By job, by state and by days; and how far the archive is."""
    first = trigger(api)
    execute(api)
    api.world.clock.advance(2 * 86_400)
    second = trigger(api)
    api.send("POST", f"/v1/runs/{second}/cancel")
    nothing = api.send("GET", PATH).body
    archive(api)
    page = api.send("GET", PATH).body
    job_id = RunId.parse(first).job_id

    assert nothing == {"items": [], "next_cursor": None, "archived_until": None}
    assert [run["run_id"] for run in page["items"]] == [second, first]
    assert (page["next_cursor"], page["archived_until"]) == (None, "2026-12-01")
    assert run_ids(api, "?from=2026-11-22") == [second]
    assert run_ids(api, "?to=2026-11-22") == [first]
    assert run_ids(api, "?state=cancelled") == [second]
    assert run_ids(api, f"?job_id={job_id}&from=2026-11-21&to=2026-11-21") == [first]
    assert run_ids(api, "?from=2026-11-24") == []


def test_days_that_end_before_they_begin_are_refused(api: Api) -> None:
    """Ranges of instants are refused alike."""
    answer = api.send("GET", f"{PATH}?from=2026-11-22&to=2026-11-21")

    assert (answer.status, answer.body["errors"][0]["code"]) == (400, "range_reversed")


def test_a_tenant_reads_its_own_archive(api: Api) -> None:
    """Paths begin with the tenant of the token."""
    run_id = trigger(api)
    execute(api)
    archive(api)

    assert run_ids(api) == [run_id]
    assert run_ids(api, tenant=OTHER_TENANT) == []
    assert api.send("GET", f"{PATH}/{run_id}", tenant=OTHER_TENANT).status == 404


@pytest.mark.parametrize("bound", ["limit", "MOST_ROWS", "MOST_FILES"])
def test_pages_go_on_where_the_last_one_ended(
    api: Api, monkeypatch: pytest.MonkeyPatch, bound: str
) -> None:
    """Each run once, whether the page, its rows or its files were the limit."""
    job_id = api.create(schedule={"kind": "manual"})["job_id"]
    made = []
    for _ in range(3):
        for _ in range(2):
            made.append(trigger(api, job_id))
            execute(api)
        api.world.clock.advance(86_400)
    archive(api)
    limit = "1" if bound == "limit" else "50"
    if bound != "limit":
        monkeypatch.setattr(archived_runs, bound, 1)
    found, cursor = [], ""
    for _ in range(8):
        page = api.send("GET", f"{PATH}?limit={limit}{cursor}").body
        found += [run["run_id"] for run in page["items"]]
        cursor = f"&cursor={page['next_cursor']}"
        if page["next_cursor"] is None:
            break

    assert page["next_cursor"] is None
    assert len(found) == len(made) == 6
    assert sorted(found) == sorted(made)
    assert found[0] in made[4:]
    assert NOW.date().isoformat() == "2026-11-21"


def test_a_cursor_of_no_listing_is_refused(api: Api) -> None:
    """It was written by hand."""
    answer = api.send("GET", f"{PATH}?cursor=abc")

    assert (answer.status, answer.body["errors"][0]["code"]) == (400, "invalid_cursor")


def test_a_run_that_succeeded_is_not_looked_for_any_longer(
    api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Files are read from the day of its instant on, and none after its last attempt."""
    job_id = api.create(schedule={"kind": "manual"})["job_id"]
    made = []
    for _ in range(3):
        made.append(trigger(api, job_id))
        execute(api)
        api.world.clock.advance(86_400)
    archive(api)
    read, days = api.world.archive_files.read, []

    def noted(path: str) -> bytes | None:
        days.append(path.partition("/day=")[2][:10])
        return read(path)

    monkeypatch.setattr(api.world.archive_files, "read", noted)
    answer = api.send("GET", f"{PATH}/{made[1]}")

    assert answer.body["state"] == "succeeded"
    assert days == ["2026-11-22"]


@pytest.mark.parametrize(
    ("settled", "expected"),
    [(Settled.REDRIVEN, ["succeeded"]), (Settled.DISCARDED, ["dead_lettered", "succeeded"])],
)
def test_a_run_that_was_redriven_is_listed_once(
    api: Api, settled: Settled, expected: list[str]
) -> None:
    """By the attempt that followed; a run that was let rest stays as it was given up."""
    resolution = Resolution(settled=settled, by="anna", at=LONG_AGO)
    dead = dead_factory(-40 * 86_400, ended_at=LONG_AGO, resolution=resolution)
    other = attempt_id(2) if settled is Settled.DISCARDED else dead.id.next()
    keep_archived(api.world, dead, archived_attempt(attempt=other))
    found = api.send("GET", PATH).body["items"]
    given_up = api.send("GET", f"{PATH}?state=dead_lettered").body["items"]

    assert sorted(run["state"] for run in found) == expected
    assert len(given_up) == expected.count("dead_lettered")
