"""``jobs get|list|update|pause|resume|cancel|trigger``."""

import json
from collections.abc import Callable

import pytest

from tests.functional.cli.conftest import Outcome
from tests.functional.cli.fake_api import FakeApi, ok, page
from tests.functional.cli.samples import JOB_ID, RUN_ID, SHORT_JOB_ID, SHORT_RUN_ID, job, row, run

Timegate = Callable[..., Outcome]


def test_a_pause_says_why(api: FakeApi, timegate: Timegate) -> None:
    """The reason is sent, and shown."""
    api.will(ok(job(status="paused", pause_reason="The ledger is moved.")))
    shown = timegate("jobs", "pause", JOB_ID, "--reason", "The ledger is moved.")

    assert api.body == {"reason": "The ledger is moved."}
    assert "The ledger is moved." in shown.out


@pytest.mark.parametrize(
    ("command", "request_line"),
    [
        pytest.param("get", f"GET /v1/jobs/{JOB_ID}", id="get"),
        pytest.param("pause", f"POST /v1/jobs/{JOB_ID}/pause", id="pause"),
        pytest.param("resume", f"POST /v1/jobs/{JOB_ID}/resume", id="resume"),
        pytest.param("cancel", f"DELETE /v1/jobs/{JOB_ID}", id="cancel"),
    ],
)
def test_a_command_is_one_call_and_shows_the_job(
    api: FakeApi, timegate: Timegate, command: str, request_line: str
) -> None:
    """With ``--json`` it prints what the API said, and nothing else."""
    answer = job(name="größer", status="paused")
    api.will(ok(answer))
    shown = timegate("jobs", command, JOB_ID)
    printed = timegate("jobs", command, JOB_ID, "--json")

    assert api.asked == [request_line] * 2
    assert (shown.code, printed.code) == (0, 0)
    assert printed.json == answer
    assert {"paused", "größer", "0 9 * * 1-5 Europe/Berlin", '{"page": 1}', "team=billing"} <= {
        line.split("  ", 1)[1].strip() for line in shown.out.splitlines()
    }


def test_triggering_shows_the_run(api: FakeApi, timegate: Timegate) -> None:
    """Its id is what ``runs watch`` takes."""
    api.will(ok(run("queued"), 202))
    outcome = timegate("jobs", "trigger", JOB_ID)

    assert api.asked == [f"POST /v1/jobs/{JOB_ID}/trigger"]
    assert RUN_ID in outcome.out
    assert "queued" in outcome.out


@pytest.mark.parametrize(
    ("options", "request_body"),
    [
        pytest.param(("--payload", '{"a": 1}'), {"payload": {"a": 1}}, id="payload"),
        pytest.param(("--no-payload",), {"payload": None}, id="no-payload"),
        pytest.param(("--merge", '{"a": null}'), {"payload_patch": {"a": None}}, id="merge"),
        pytest.param(
            ("--at", "2026-12-01T09:00:00+01:00", "--priority", "high"),
            {"at": "2026-12-01T08:00:00.000Z", "priority": "high"},
            id="at",
        ),
        pytest.param(
            ("--delay", "15m", "--tag", "a=b", "--tag", "c=d"),
            {"delay_seconds": 900, "tags": {"a": "b", "c": "d"}},
            id="delay",
        ),
    ],
)
def test_a_trigger_is_sent_with_what_was_said(
    api: FakeApi, timegate: Timegate, options: tuple[str, ...], request_body: object
) -> None:
    """And shows the payload and tags of its run."""
    shown = {"tags": {"a": "b"}, "payload_from": "run", "payload": {"page": 7}}
    api.will(ok({**run("queued"), **shown}, 202))
    outcome = timegate("jobs", "trigger", JOB_ID, *options, "--idempotency-key", "k")

    assert json.loads(api.calls[0].content) == request_body
    assert api.calls[0].headers["Idempotency-Key"] == "k"
    assert {'{"page": 7}', "a=b"} <= {
        line.split("  ", 1)[1].strip() for line in outcome.out.splitlines() if "  " in line
    }


def test_filters_become_the_query(api: FakeApi, timegate: Timegate) -> None:
    """An absent filter is not sent; a tag keeps all text behind its first sign."""
    api.will(page([]))
    timegate("jobs", "list")
    timegate(
        *("jobs", "list", "--status", "active", "--kind", "cron", "--priority", "low"),
        *("--tag", "team=a=b", "--tag", "env=test", "--limit", "5", "--cursor", "c1"),
        *("--last-outcome", "failed"),
    )

    assert api.asked[0] == "GET /v1/jobs"
    assert api.calls[1].url.params.multi_items() == [
        ("status", "active"),
        ("kind", "cron"),
        ("priority", "low"),
        ("tag", "team:a=b"),
        ("tag", "env:test"),
        ("last_outcome", "failed"),
        ("limit", "5"),
        ("cursor", "c1"),
    ]


def test_a_listing_says_where_it_goes_on(api: FakeApi, timegate: Timegate) -> None:
    """The next cursor stands below a page that has one, and only there."""
    api.will(page([job()], "c2"), page([job()]))
    first, last = timegate("jobs", "list"), timegate("jobs", "list")

    assert "--cursor c2" in first.out
    assert "--cursor" not in last.out
    assert "2026-11-23 08:00:00" in last.out


def test_a_page_is_printed_as_it_came(api: FakeApi, timegate: Timegate) -> None:
    """A program reads ``next_cursor`` itself."""
    api.will(page([job()], "c2"))

    assert timegate("jobs", "list", "--json").json == {
        "items": [job()],
        "next_cursor": "c2",
        "damaged": {"count": 0, "job_ids": []},
    }


def test_all_follows_the_cursors(api: FakeApi, timegate: Timegate) -> None:
    """It begins at ``--cursor``, passes an empty page, and prints one long page."""
    api.will(page([job(name="a")], "c2"), page([], "c3"), page([job(name="b")]))
    outcome = timegate("jobs", "list", "--all", "--cursor", "c1", "--limit", "1", "--json")

    assert [item["name"] for item in outcome.json["items"]] == ["a", "b"]
    assert outcome.json["next_cursor"] is None
    assert [call.url.params["cursor"] for call in api.calls] == ["c1", "c2", "c3"]
    assert [call.url.params["limit"] for call in api.calls] == ["1"] * 3


@pytest.mark.parametrize("options", [[], ["--all"]], ids=["a page", "all"])
def test_a_listing_names_the_jobs_that_cannot_be_read(
    api: FakeApi, timegate: Timegate, options: list[str]
) -> None:
    """Below the others; of several pages, all."""
    damaged = {"damaged": {"count": 1, "job_ids": [JOB_ID]}}
    api.will(ok({**page([job()]).json(), **damaged}))
    shown = timegate("jobs", "list", *options)
    printed = timegate("jobs", "list", *options, "--json")

    assert f"1 job cannot be read; operators must repair: {JOB_ID}" in shown.out
    assert printed.json["damaged"] == damaged["damaged"]


def test_an_empty_listing_says_so(api: FakeApi, timegate: Timegate) -> None:
    """A heading without rows would look like an error."""
    api.will(page([]))

    assert timegate("jobs", "list").out == "No jobs.\n"


def test_a_name_cannot_steer_the_terminal(api: FakeApi, timegate: Timegate) -> None:
    """Markup, emoji codes and escape sequences in data are shown as they are written."""
    api.will(page([job(name="[red]x[/red] :smile: \x1b[2J")]))

    assert r"[red]x[/red] :smile: \x1b[2J" in timegate("jobs", "list").out


@pytest.mark.parametrize("columns", [60, 80])
def test_an_id_is_not_folded(api: FakeApi, timegate: Timegate, columns: int) -> None:
    """It can be copied from a narrow terminal, too; names and reasons give way."""
    api.will(page([job(name="long " * 20)]), page([row("skipped", reason="superseded")]))

    assert f"\n{SHORT_JOB_ID} " in timegate("jobs", "list", columns=columns).out
    assert f"\n{SHORT_RUN_ID} " in timegate("runs", "list", JOB_ID, columns=columns).out


@pytest.mark.parametrize(
    ("job_id", "path"),
    [
        pytest.param("..", "/v1/jobs/-", id="dots"),
        pytest.param("", "/v1/jobs/-", id="nothing"),
        pytest.param("a?b#c", "/v1/jobs/a%3Fb%23c", id="query"),
    ],
)
def test_an_id_is_one_segment_of_the_path(
    api: FakeApi, timegate: Timegate, job_id: str, path: str
) -> None:
    """Cancelling what is no id cannot become a call to something else."""
    api.will(ok(job()))
    timegate("jobs", "cancel", job_id)

    assert api.asked == [f"DELETE {path}"]


def test_a_slash_is_in_no_path(api: FakeApi, timegate: Timegate) -> None:
    """The word can be a name alone, and is looked for as one."""
    api.will(page([]))
    timegate("jobs", "cancel", "../runs")

    assert api.asked == ["GET /v1/jobs?name=..%2Fruns&limit=100"]


@pytest.mark.parametrize(
    ("schedule", "words"),
    [
        pytest.param({"kind": "immediate"}, "immediate", id="immediate"),
        pytest.param(
            {"kind": "at", "at": "2026-11-21T07:00:00.000Z"}, "at 2026-11-21 07:00:00", id="at"
        ),
        pytest.param({"kind": "delay", "delay_seconds": 0.5}, "after 0.5 s", id="delay"),
        pytest.param({"kind": "rate", "every_seconds": 300}, "every 300 s", id="rate"),
    ],
)
@pytest.mark.parametrize(
    ("action", "address"),
    [
        pytest.param(
            {
                "type": "webhook",
                "url": "https://h",
                "method": "GET",
                "headers": {},
                "secret_headers": {
                    "X-Key": {"secret_arn": "arn:s", "ssm_parameter": None, "json_key": "k"}
                },
                "signing_secret": {"secret_arn": None, "ssm_parameter": "/p", "json_key": None},
                "success_statuses": [200, 409],
                "wait": "callback",
                "heartbeat_seconds": 60,
            },
            "X-Key=arn:s#k",
            id="secrets",
        ),
        pytest.param(
            {"type": "lambda", "function_arn": "arn:f", "invocation": "async"},
            "lambda arn:f async",
            id="lambda",
        ),
        pytest.param(
            {"type": "sqs", "queue_url": "https://q", "message_group_id": None},
            "sqs https://q",
            id="sqs",
        ),
        pytest.param(
            {"type": "sns", "topic_arn": "arn:t", "subject": "Hi", "message_group_id": "g"},
            "sns arn:t g Hi",
            id="sns",
        ),
        pytest.param(
            {"type": "eventbridge", "bus_arn": "arn:b", "source": "s", "detail_type": "d"},
            "eventbridge arn:b s d",
            id="eventbridge",
        ),
        pytest.param(
            {"type": "stepfunctions", "state_machine_arn": "arn:s", "mode": "wait"},
            "stepfunctions wait arn:s",
            id="stepfunctions",
        ),
    ],
)
def test_every_kind_of_job_can_be_shown(
    api: FakeApi,
    timegate: Timegate,
    schedule: dict[str, object],
    words: str,
    action: dict[str, object],
    address: str,
) -> None:
    """Schedules and targets have different fields."""
    api.will(ok(job(schedule=schedule, action=action, payload=None)))
    outcome = timegate("jobs", "get", JOB_ID)

    assert words in outcome.out
    assert address in outcome.out
