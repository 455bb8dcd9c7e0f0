"""``runs list|get|watch|cancel``."""

from collections.abc import Callable

import httpx
import pytest

from tests.functional.cli.conftest import Outcome, Terminal
from tests.functional.cli.fake_api import FakeApi, ok, page, refusal
from tests.functional.cli.samples import JOB_ID, RUN_ID, SHORT_RUN_ID, row, run
from tests.support.factories import NOW
from timegate.domain.runs.run import TERMINAL, RunState
from timegate.domain.values.instants import rfc3339

Timegate = Callable[..., Outcome]


def test_runs_are_listed_with_their_lateness(api: FakeApi, timegate: Timegate) -> None:
    """A row shows the last attempt."""
    api.will(page([row()], "c2"))
    outcome = timegate("runs", "list", JOB_ID, "--limit", "1")
    expected = f"{SHORT_RUN_ID} 1 succeeded 2026-11-21 07:00:00 12 ms 438 ms -"

    assert api.asked == [f"GET /v1/jobs/{JOB_ID}/runs?limit=1"]
    assert outcome.out.splitlines()[1].split() == expected.split()
    assert "--cursor c2" in outcome.out


def test_runs_that_are_still_to_come_are_counted(api: FakeApi, timegate: Timegate) -> None:
    """They come first, ahead of what a person asks after; due ones are none of them."""
    ahead = [row("queued", due_at=f"2099-11-21T07:00:0{second}.000Z") for second in (2, 1)]
    due = row("queued", due_at="2026-11-21T06:59:59.000Z")
    ended = row(due_at="2099-11-21T07:00:00.000Z")
    api.will(page([*ahead, due, row()]), page([ahead[0], row()]), page([due, ended]))
    told, one, nothing = (timegate("runs", "list", JOB_ID, "--until", "now").out for _ in "123")

    assert one.splitlines()[-1] == "1 of these is still to come; --until now leaves it out."
    assert told.splitlines()[-1] == "2 of these are still to come; --until now leaves them out."
    assert "still to come" not in nothing
    assert f"to={rfc3339(NOW)}".replace(":", "%3A") in api.asked[0]


@pytest.mark.parametrize(("state", "is_told"), [("waiting", True), ("succeeded", False)])
def test_a_run_that_waits_says_for_what(
    api: FakeApi, timegate: Timegate, state: str, *, is_told: bool
) -> None:
    """In the words of the API; of one that has ended there is nothing to say."""
    said = "It was due, and waits for a slot of the tenant's quota of 5 concurrent runs."
    api.will(ok(run(state, explanation=said)))
    shown = " ".join(timegate("runs", "get", RUN_ID).out.split())

    assert (said in shown) is is_told


@pytest.mark.parametrize(
    ("command", "request_line"),
    [
        pytest.param(
            ("runs", "list", JOB_ID, "--state", "failed"),
            f"GET /v1/jobs/{JOB_ID}/runs?state=failed",
            id="runs",
        ),
        pytest.param(
            ("dags", "runs", JOB_ID, "--status", "failed"),
            f"GET /v1/dags/{JOB_ID}/runs?status=failed",
            id="dag-runs",
        ),
    ],
)
def test_a_list_is_narrowed(
    api: FakeApi, timegate: Timegate, command: tuple[str, ...], request_line: str
) -> None:
    """By how rows stand, and by when they were."""
    api.will(page([]))
    timegate(*command, "--from", "2026-11-21T00:00:00Z", "--to", "2026-11-22T00:00:00Z")

    assert api.asked == [
        f"{request_line}&from=2026-11-21T00%3A00%3A00.000Z&to=2026-11-22T00%3A00%3A00.000Z"
    ]


def test_operations_and_calendars_are_narrowed(api: FakeApi, timegate: Timegate) -> None:
    """By what they do, and by page."""
    api.will(page([]), page([]))
    timegate("operations", "list", "--kind", "backfill", "--status", "running")
    timegate("calendars", "list", "--limit", "5")

    assert api.asked == [
        "GET /v1/operations?kind=backfill&status=running",
        "GET /v1/calendars?limit=5",
    ]


def test_all_runs_are_one_page(api: FakeApi, timegate: Timegate) -> None:
    """``--all`` follows the cursors, like with jobs."""
    api.will(page([row()], "c2"), page([row("failed")]))
    outcome = timegate("runs", "list", JOB_ID, "--all", "--json")

    assert outcome.json["items"] == [row(), row("failed")]
    assert outcome.json["next_cursor"] is None


@pytest.mark.parametrize(
    ("command", "request_line"),
    [
        pytest.param("get", f"GET /v1/runs/{RUN_ID}", id="get"),
        pytest.param("cancel", f"POST /v1/runs/{RUN_ID}/cancel", id="cancel"),
    ],
)
def test_a_run_is_shown_with_its_attempts(
    api: FakeApi, timegate: Timegate, command: str, request_line: str
) -> None:
    """The target's text cannot steer the terminal."""
    error = {"code": "http_500", "type": "http", "message": "no\x1b[2J\nway"}
    api.will(ok(run("failed", error=error)))
    shown = timegate("runs", command, RUN_ID)
    printed = timegate("runs", command, RUN_ID, "--json")

    assert api.asked == [request_line] * 2
    assert r"http_500: no\x1b[2J\nway" in shown.out
    assert "worker-1" in shown.out
    assert shown.out.count("attempt 1 of 3, none left") == 2
    assert printed.json == run("failed", error=error)


@pytest.mark.parametrize(
    ("length", "shown"),
    [pytest.param(51, "x" * 51, id="fits"), pytest.param(52, "x" * 50 + "…", id="long")],
)
def test_a_table_shows_where_an_error_begins(
    api: FakeApi, timegate: Timegate, length: int, shown: str
) -> None:
    """The run itself shows all of it: targets answer with pages."""
    error = {"code": "http_50", "type": "http", "message": "x" * length}
    api.will(page([row("failed", error=error)]), ok(run("failed", error=error)))
    table = timegate("runs", "list", JOB_ID).out
    details = timegate("runs", "get", RUN_ID).out

    assert f"http_50: {shown} " in f"{table} "
    assert f"http_50: {'x' * length}" in details


def test_a_run_shows_where_its_time_went(api: FakeApi, timegate: Timegate) -> None:
    """Each step by how long after the due time; steps that are to come are left out."""
    times = {
        "planned_at": "2026-11-21T06:50:00.000Z",
        "published_at": "2026-11-21T06:59:59.960Z",
        "received_at": "2026-11-21T07:00:00.000Z",
        "claimed_at": "2026-11-21T07:00:02.500Z",
        "started_at": None,
        "ended_at": None,
    }
    api.will(ok(run("running", timeline=times)))
    shown = timegate("runs", "get", RUN_ID).out

    assert (
        "since due  planned -10.0 min, published -40 ms, received +0 ms, claimed +2.5 s\n" in shown
    )


def test_an_error_outweighs_a_reason(api: FakeApi, timegate: Timegate) -> None:
    """A run that was skipped has a reason only."""
    api.will(page([row("skipped", reason="superseded")]))

    assert timegate("runs", "list", JOB_ID).out.splitlines()[1].split()[-1] == "superseded"


def test_watching_looks_until_the_run_has_ended(
    api: FakeApi, terminal: Terminal, timegate: Timegate
) -> None:
    """It waits between two looks, and not after the last."""
    api.will(ok(run("queued")), ok(run("running")), ok(run("succeeded")), refusal(500, "late"))
    outcome = timegate("runs", "watch", RUN_ID, "--interval", "500ms")

    assert outcome.code == 0
    assert api.asked == [f"GET /v1/runs/{RUN_ID}"] * 3
    assert terminal.slept == [0.5, 0.5]
    assert "succeeded" in outcome.out


def test_a_person_sees_every_look(
    api: FakeApi, timegate: Timegate, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A pipe is given the end only, with the answer of the target."""
    api.will(ok(run("queued")), ok(run("running")), ok(run("succeeded")))
    piped = timegate("runs", "watch", RUN_ID).out
    monkeypatch.setenv("FORCE_COLOR", "1")
    api.will(ok(run("queued")), ok(run("running")), ok(run("succeeded")))
    live = timegate("runs", "watch", RUN_ID).out

    assert [state for state in ("queued", "running", "succeeded") if state in live] == (
        ["queued", "running", "succeeded"]
    )
    assert [state for state in ("queued", "running", "succeeded") if state in piped] == (
        ["succeeded"]
    )
    assert ["result", "welcome"] in [line.split() for line in piped.splitlines()]
    assert piped.endswith("\n")


@pytest.mark.parametrize("state", sorted(TERMINAL))
def test_only_success_exits_with_zero(api: FakeApi, timegate: Timegate, state: RunState) -> None:
    """Every other end is 4, so that a script can tell it from a refusal."""
    api.will(ok(run(state)))

    assert timegate("runs", "watch", RUN_ID).code == (0 if state == RunState.SUCCEEDED else 4)


def test_watching_prints_json_once(api: FakeApi, timegate: Timegate) -> None:
    """It is the run as it ended."""
    api.will(ok(run("running")), ok(run("failed")))
    outcome = timegate("runs", "watch", RUN_ID, "--json")

    assert outcome.json == run("failed")
    assert outcome.code == 4


@pytest.mark.parametrize(
    ("looks", "code"),
    [pytest.param(2, 0, id="in-time"), pytest.param(3, 4, id="too-late")],
)
def test_watching_gives_up_after_its_timeout(
    api: FakeApi, timegate: Timegate, looks: int, code: int
) -> None:
    """A run that ends at the timeout is still seen to end."""
    api.will(*[ok(run("running"))] * looks, ok(run("succeeded")))
    outcome = timegate("runs", "watch", RUN_ID, "--timeout", "2s")

    assert outcome.code == code
    assert ("error [not_ended]" in outcome.err) == (code == 4)


@pytest.mark.parametrize("as_json", [(), ("--json",)], ids=["table", "json"])
def test_a_job_without_runs_is_not_watched_for_ever(
    api: FakeApi, timegate: Timegate, as_json: tuple[str, ...]
) -> None:
    """The timeout counts while it waits for a run, too."""
    api.will(page([]))
    outcome = timegate("runs", "watch", JOB_ID, "--timeout", "3", *as_json)

    assert outcome.code == 4
    assert "not_ended" in outcome.err


def test_watching_outlives_a_moment_without_network(
    api: FakeApi, terminal: Terminal, timegate: Timegate
) -> None:
    """A look that fails is repeated."""
    api.will(ok(run("running")), httpx.ConnectError("gone"), ok(run("succeeded")))

    assert timegate("runs", "watch", RUN_ID).code == 0
    assert terminal.slept[0] == 1.0
    assert 0.05 <= terminal.slept[1] <= 0.1


@pytest.mark.parametrize("options", [[], ["--all"]], ids=["a page", "all"])
def test_a_listing_names_the_runs_that_cannot_be_read(
    api: FakeApi, timegate: Timegate, options: list[str]
) -> None:
    """Below the others; of several pages, all."""
    damaged = {"damaged": {"count": 1, "run_ids": [RUN_ID]}}
    api.will(ok({**page([]).json(), **damaged}))
    shown = timegate("runs", "list", JOB_ID, *options)
    printed = timegate("runs", "list", JOB_ID, *options, "--json")

    assert f"1 run cannot be read; operators must repair: {RUN_ID}" in " ".join(shown.out.split())
    assert printed.json["damaged"] == damaged["damaged"]
