"""``timegate bulk|operations`` and ``jobs backfill|bulk-create``: what is asked, what is shown."""

import json
from collections.abc import Callable

import pytest

from tests.functional.cli.conftest import Outcome, Terminal
from tests.functional.cli.fake_api import FakeApi, ok, page, refusal
from tests.functional.cli.samples import JOB_ID, OPERATION_ID, RUN_ID, job, operation

Timegate = Callable[..., Outcome]

RANGE = ("--from", "2026-11-21T06:50:00Z", "--to", "2026-11-21T07:00:00+00:00")
BULK = {
    "filter": {
        "tags": {"team": "ops"},
        "status": "active",
        "kind": None,
        "priority": None,
        "name": None,
    },
    "catch_up": False,
    "reason": None,
}


@pytest.mark.parametrize(
    ("words", "body"),
    [
        pytest.param(
            ("pause", "--tag", "team=ops", "--tag", "a=b"),
            {"kind": "pause", "filter": {"tags": {"team": "ops", "a": "b"}}},
            id="by tags",
        ),
        pytest.param(
            ("pause", "--name", "nightly*", "--reason", "The ledger moves."),
            {"kind": "pause", "filter": {"name": "nightly*"}, "reason": "The ledger moves."},
            id="for a reason",
        ),
        pytest.param(
            ("cancel", "--status", "paused", "--kind", "cron", "--priority", "low"),
            {"kind": "cancel", "filter": {"status": "paused", "kind": "cron", "priority": "low"}},
            id="by all criteria",
        ),
        pytest.param(
            ("resume", "--all", "--catch-up"),
            {"kind": "resume", "filter": {"all": True}, "catch_up": True},
            id="everything",
        ),
        pytest.param(("pause",), {"kind": "pause", "filter": {}}, id="the API refuses it"),
    ],
)
def test_a_bulk_change_is_asked_for(
    api: FakeApi, timegate: Timegate, words: tuple[str, ...], body: dict[str, object]
) -> None:
    """The body holds the given options, and nothing else."""
    api.will(ok(operation("running"), 202))
    outcome = timegate("bulk", *words, "--idempotency-key", "k")

    assert (outcome.code, api.asked, api.body) == (0, ["POST /v1/operations"], body)
    assert api.calls[0].headers["Idempotency-Key"] == "k"


def test_a_backfill_is_asked_for(api: FakeApi, timegate: Timegate) -> None:
    """With its defaults spelled out."""
    api.will(ok(operation("running"), 202))
    outcome = timegate("jobs", "backfill", JOB_ID, *RANGE)
    lines = [line.split() for line in outcome.out.splitlines()]

    assert api.asked == [f"POST /v1/jobs/{JOB_ID}/backfill"]
    assert api.body == {
        "from": "2026-11-21T06:50:00.000Z",
        "to": "2026-11-21T07:00:00.000Z",
        "reprocess": "none",
        "max_concurrent": 1,
    }
    assert ["operation_id", OPERATION_ID] in lines
    assert ["status", "running", "(waits", "for", "runs)"] in lines
    assert ["counts", *["2", "of", "11", "done,", "1", "failed,", "3", "in", "progress"]] in lines
    assert [RUN_ID, "http_500:", "it", "broke"] in lines


def test_a_dry_run_is_shown_as_what_it_is(api: FakeApi, timegate: Timegate) -> None:
    """Nothing is started, and nothing waited for."""
    first = [{"instant": "2026-11-21T06:50:00.000Z", "fate": "reopened"}]
    preview = {"dry_run": True, "instants": 3, "new": 1, "reopened": 1, "unchanged": 1}
    api.will(ok({**preview, "first": first}))
    outcome = timegate("jobs", "backfill", JOB_ID, *RANGE, "--dry-run", "--wait")

    assert (outcome.code, len(api.calls), api.body["dry_run"]) == (0, 1, True)
    assert ["2026-11-21", "06:50:00", "reopened"] in [
        line.split() for line in outcome.out.splitlines()
    ]


@pytest.mark.parametrize(
    ("status", "code"), [("succeeded", 0), ("failed", 4), ("cancelled", 4)], ids=str
)
def test_waiting_ends_as_the_operation_does(
    api: FakeApi, timegate: Timegate, terminal: Terminal, status: str, code: int
) -> None:
    """4 unless it succeeded, so that a script can tell it from a refusal."""
    api.will(ok(operation("running"), 202), *[ok(operation("running"))] * 2, ok(operation(status)))
    outcome = timegate("jobs", "backfill", JOB_ID, *RANGE, "--wait")

    assert outcome.code == code
    assert api.asked[1:] == [f"GET /v1/operations/{OPERATION_ID}"] * 3
    assert terminal.slept == [1.0, 1.0]
    assert status in outcome.out


@pytest.mark.parametrize("words", [("operations", "watch", OPERATION_ID), ("bulk", "pause")])
def test_a_person_sees_it_grow(
    api: FakeApi, timegate: Timegate, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    """A bar with counts; a bulk change's has no end until it is known."""
    monkeypatch.setenv("FORCE_COLOR", "1")
    bulk = operation("running", kind="pause", parameters=BULK)
    looks = [bulk, bulk] if words[0] == "bulk" else [operation("running")] * 2
    api.will(*map(ok, looks), ok(operation()))
    wait = ("--wait",) if words[0] == "bulk" else ()
    live = timegate(*words, *wait).out

    assert "2 of 11 done, 1 failed, 3 in progress" in live
    assert "10 of 11 done, 1 failed" in live
    assert "━" in live


def test_watching_gives_up_after_its_timeout(
    api: FakeApi, timegate: Timegate, terminal: Terminal
) -> None:
    """It says so, and shows how far it came."""
    api.will(ok(operation("running")))
    watch = ("operations", "watch", OPERATION_ID, "--interval", "500ms", "--timeout", "2s")
    outcome = timegate(*watch)

    assert (outcome.code, terminal.slept) == (4, [0.5] * 4)
    assert "error [not_ended]" in outcome.err
    assert "2 of 11 done" in outcome.out


def test_json_is_the_operation_once(api: FakeApi, timegate: Timegate) -> None:
    """It is the ended operation."""
    api.will(ok(operation("running")), ok(operation("running")), ok(operation()))

    assert timegate("bulk", "pause", "--all", "--wait", "--json").json == operation()


def test_operations_are_listed_shown_and_cancelled(api: FakeApi, timegate: Timegate) -> None:
    """Each as the API gives it."""
    stuck = operation("running", waits_for=None, stalled=True, cancel_requested=True)
    api.will(page([stuck], "more"), ok(stuck), ok(stuck))
    listed = timegate("operations", "list", "--limit", "1")
    shown = timegate("operations", "get", OPERATION_ID)
    timegate("operations", "cancel", OPERATION_ID)

    assert api.asked == [
        "GET /v1/operations?limit=1",
        f"GET /v1/operations/{OPERATION_ID}",
        f"POST /v1/operations/{OPERATION_ID}/cancel",
    ]
    assert "More with --all or --cursor more" in listed.out
    assert "running (asked to stop, stands still)" in shown.out


def test_no_operations_are_said_to_be_none(api: FakeApi, timegate: Timegate) -> None:
    """Instead of an empty table."""
    api.will(page([]))

    assert timegate("operations", "list").out == "No operations.\n"


def test_why_it_gave_up_is_shown(api: FakeApi, timegate: Timegate) -> None:
    """And what it waits for."""
    failure = {"item": JOB_ID, "code": "schedule_changed", "detail": "Another schedule."}
    api.will(ok(operation("failed", failure=failure)), ok(operation("running", waits_for="job")))

    assert "schedule_changed: Another schedule." in timegate("operations", "get", "x").out
    assert "waits for its job to be resumed" in timegate("operations", "get", "x").out


def created(*items: dict[str, object]) -> dict[str, object]:
    """Return the answer of a bulk creation."""
    failed = sum(item["error"] is not None for item in items)
    return {"items": list(items), "created": len(items) - failed, "replayed": 0, "failed": failed}


def item(index: int, **fields: object) -> dict[str, object]:
    """Return one item of a bulk creation's answer."""
    return {"index": index, "status": 201, "job": job(), "error": None, **fields}


REFUSED = {
    "status": 400,
    "job": None,
    "error": {
        "code": "invalid_request",
        "detail": "No.",
        "errors": [{"field": "jobs.1.name", "code": "missing", "detail": "It is required."}],
    },
}


@pytest.mark.parametrize(
    "text", ['[{"a": 1}, {}]', '{"jobs": [{"a": 1}, {}]}'], ids=["list", "body"]
)
def test_jobs_are_created_from_a_file(api: FakeApi, timegate: Timegate, text: str) -> None:
    """A list, or the API's body; one that is refused is named, and the exit code says so."""
    api.will(ok(created(item(0), item(1, **REFUSED)), 207))
    outcome = timegate("jobs", "bulk-create", "-f", "-", stdin=text)

    assert (api.asked, api.body) == (["POST /v1/jobs/bulk"], {"jobs": [{"a": 1}, {}]})
    assert outcome.code == 1
    assert "jobs.1.name [missing]" in outcome.out
    assert "1 created, 0 there before, 1 refused" in outcome.out


def test_a_long_file_is_sent_in_parts(api: FakeApi, timegate: Timegate) -> None:
    """Each with a key of its own, so that repeating the command repeats nothing."""
    answers = [ok(created(*(item(n) for n in range(count))), 207) for count in (100, 100, 1)]
    api.will(*answers)
    words = ("jobs", "bulk-create", "-f", "-", "--idempotency-key", "k", "--json")
    outcome = timegate(*words, stdin=f"[{'1,' * 200}1]")

    assert [call.headers["Idempotency-Key"] for call in api.calls] == ["k-0", "k-1", "k-2"]
    assert (outcome.code, outcome.json["created"]) == (0, 201)
    assert outcome.json["items"][200]["index"] == 200


def test_large_jobs_are_sent_in_parts(api: FakeApi, timegate: Timegate) -> None:
    """A request has one megabyte at most."""
    jobs = json.dumps([{"payload": "x" * 200_000}] * 6)
    api.will(ok(created(*map(item, range(4))), 207), ok(created(*map(item, range(2))), 207))
    outcome = timegate("jobs", "bulk-create", "-f", "-", "--json", stdin=jobs)

    assert [len(json.loads(call.content)["jobs"]) for call in api.calls] == [4, 2]
    assert (outcome.code, outcome.json["created"]) == (0, 6)


def test_a_file_that_breaks_off_says_which_jobs_there_are(api: FakeApi, timegate: Timegate) -> None:
    """A caller goes on behind them."""
    api.will(ok(created(*map(item, range(100))), 207), refusal(429, "quota_exceeded"))
    outcome = timegate("jobs", "bulk-create", "-f", "-", stdin=f"[{'1,' * 100}1]")

    assert outcome.code == 1
    assert "quota_exceeded" in outcome.err
    assert "100 created, 0 there before, 0 refused" in outcome.out


@pytest.mark.parametrize("text", ["[]", "{}", '"x"', '{"jobs": {}}'])
def test_a_file_without_jobs_is_refused(api: FakeApi, timegate: Timegate, text: str) -> None:
    """Before anything is sent."""
    outcome = timegate("jobs", "bulk-create", "-f", "-", stdin=text)

    assert (outcome.code, api.calls) == (2, [])


def test_a_refusal_is_said_as_everywhere(api: FakeApi, timegate: Timegate) -> None:
    """With the API's code."""
    api.will(refusal(409, "job_paused", "Job x is paused; resume it first."))
    outcome = timegate("jobs", "backfill", JOB_ID, *RANGE, "--wait")

    assert (outcome.code, outcome.err) == (
        1,
        "error [job_paused]: Job x is paused; resume it first.\n",
    )
