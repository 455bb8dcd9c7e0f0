"""A failed command names the reason, and its exit code the kind."""

import json
from collections.abc import Callable

import httpx
import pytest

from tests.functional.cli.conftest import Outcome, Terminal
from tests.functional.cli.fake_api import API_URL, PLACEHOLDER, FakeApi, placeholder, refusal
from tests.functional.cli.samples import JOB_ID, RUN_ID
from timegate.cli.terminal import slowness

Timegate = Callable[..., Outcome]


def test_a_refusal_names_every_field(api: FakeApi, timegate: Timegate) -> None:
    """One line for the problem and one for each field; standard output stays empty."""
    errors = [
        {"field": "schedule.cron", "code": "invalid_cron", "detail": "It has 4 fields."},
        {"field": "name", "code": "missing", "detail": "It is required."},
    ]
    body = {"status": 400, "code": "invalid_request", "detail": "2 fields are invalid."}
    api.will(httpx.Response(400, json={**body, "errors": errors}))
    outcome = timegate("jobs", "create", "--file", "-", stdin="{}")

    assert outcome.code == 1
    assert outcome.out == ""
    assert outcome.err.splitlines() == [
        "error [invalid_request]: 2 fields are invalid.",
        "  schedule.cron [invalid_cron]: It has 4 fields.",
        "  name [missing]: It is required.",
    ]


@pytest.mark.parametrize(
    ("answer", "code", "said"),
    [
        pytest.param(refusal(404, "job_not_found"), 1, "[job_not_found]: No.", id="404"),
        pytest.param(refusal(403, "invalid_tenant"), 1, "[invalid_tenant]: No.", id="403"),
        pytest.param(refusal(401, "unauthenticated"), 3, "[unauthenticated]: No.", id="401"),
        pytest.param(
            httpx.Response(403, json={"message": "Forbidden"}),
            1,
            "[forbidden]: Forbidden: this takes a token with the scope timegate/read.",
            id="gw",
        ),
        pytest.param(
            httpx.Response(502, text="<html>"), 1, "[bad_gateway]: Bad Gateway.", id="html"
        ),
        pytest.param(httpx.Response(302), 1, "[found]: Found.", id="redirect"),
        pytest.param(httpx.ConnectError("refused"), 3, f"{API_URL}/v1/jobs/", id="unreachable"),
        pytest.param(httpx.ReadTimeout("slow"), 3, "does not answer: slow", id="timeout"),
        pytest.param(
            httpx.Response(200, text="hello", extensions=PLACEHOLDER),
            3,
            "[not_understood]",
            id="not-json",
        ),
        pytest.param(placeholder([]), 3, "[not_understood]", id="no-object"),
    ],
)
def test_the_exit_code_says_who_failed(
    api: FakeApi, timegate: Timegate, answer: httpx.Response | Exception, code: int, said: str
) -> None:
    """1: the API refused. 3: no Timegate answered, or not to these credentials."""
    api.will(answer)
    outcome = timegate("jobs", "get", JOB_ID)

    assert outcome.unexpected is None
    assert outcome.code == code
    assert outcome.err.startswith("error [")
    assert said in outcome.err


@pytest.mark.parametrize(
    ("status", "shown"), [pytest.param(500, True, id="500"), pytest.param(404, False, id="404")]
)
def test_a_fault_of_theirs_shows_its_request_id(
    api: FakeApi, timegate: Timegate, status: int, shown: bool
) -> None:
    """It is what the people who run the stage search for."""
    api.will(refusal(status, "some_code"))

    assert ("request id req-1" in timegate("jobs", "get", JOB_ID).err) == shown


def test_an_error_cannot_steer_the_terminal(api: FakeApi, timegate: Timegate) -> None:
    """Its detail may quote any text."""
    api.will(refusal(409, "conflict", "x\x1b[2Jy"))

    assert r"x\x1b[2Jy" in timegate("jobs", "get", JOB_ID).err


@pytest.mark.parametrize(
    "arguments",
    [
        pytest.param(("jobs", "list"), id="listing"),
        pytest.param(("jobs", "list", "--all", "--json"), id="pages"),
        pytest.param(("jobs", "get", JOB_ID), id="job"),
        pytest.param(("runs", "get", RUN_ID), id="run"),
    ],
)
def test_json_of_another_service_is_not_understood(
    api: FakeApi, timegate: Timegate, arguments: tuple[str, ...]
) -> None:
    """A wrong address may answer with JSON, too."""
    api.will(placeholder({"hello": "world"}))
    outcome = timegate(*arguments)

    assert (outcome.code, outcome.unexpected) == (3, None)
    assert "not_understood" in outcome.err


@pytest.mark.parametrize(
    "arguments",
    [
        pytest.param(("jobs", "destroy"), id="command"),
        pytest.param(("jobs", "get"), id="no-id"),
        pytest.param(("jobs", "get", JOB_ID, "--yaml"), id="option"),
    ],
)
def test_a_command_that_does_not_exist_exits_with_two(
    timegate: Timegate, arguments: tuple[str, ...]
) -> None:
    """2 is the shell's code for wrong usage."""
    assert timegate(*arguments).code == 2


def test_the_version_is_the_packages(timegate: Timegate) -> None:
    """For a bug report."""
    assert timegate("--version").out.startswith("timegate 0.")


def test_an_error_is_data_where_data_was_asked_for(api: FakeApi, timegate: Timegate) -> None:
    """One object on standard error, with everything that people are told."""
    problem = {"field": "name", "code": "missing", "detail": "It is required."}
    body = {"status": 400, "code": "invalid_request", "detail": "1 field is invalid."}
    for words in (["--json"], ["--output", "json"], ["-o", "yaml"], ["--output=json"], ["-ojson"]):
        api.will(httpx.Response(400, json={**body, "errors": [problem], "request_id": "r"}))
        outcome = timegate("jobs", "create", "--file", "-", *words, stdin="{}")

        assert (outcome.code, outcome.out) == (1, "")
        assert json.loads(outcome.err) == {
            "error": {
                "code": "invalid_request",
                "detail": "1 field is invalid.",
                "errors": [problem],
                "status": 400,
                "request_id": "r",
            }
        }


def test_a_wrong_command_line_is_data_as_well(timegate: Timegate) -> None:
    """With the exit code of wrong command lines."""
    outcome = timegate("jobs", "get", "--json")
    people = timegate("jobs", "get")

    assert (outcome.code, people.code) == (2, 2)
    assert json.loads(outcome.err)["error"] == {
        "code": "usage",
        "detail": "Missing argument 'JOB_ID'.",
        "errors": [],
    }
    assert "Usage: " in people.err


def test_a_pattern_without_quotes_is_told_of_them(timegate: Timegate) -> None:
    """A shell divides it into words, which no option takes."""
    words = ("--name", "report", "--cron", "0", "9", "*", "*", "1-5")
    outcome = timegate("jobs", "create", *words, "--manual", "--json")

    assert outcome.code == 2
    assert json.loads(outcome.err)["error"]["detail"] == (
        "Got unexpected extra argument(s) (9 * * 1-5)."
        " Quote a value that has spaces: '0 9 * * 1-5'."
    )


def test_a_wrong_choice_is_told_with_the_right_ones(timegate: Timegate) -> None:
    """Without the words of the library that reads it."""
    outcome = timegate("jobs", "list", "--status", "gone", "--json")
    people = timegate("jobs", "list", "--status", "gone")
    choices = "'gone' is not one of 'active', 'paused', 'cancelled', 'completed'."

    assert json.loads(outcome.err)["error"]["detail"] == f"Invalid value for '--status': {choices}"
    assert f"'--status': {choices}" in people.err
    assert (outcome.code, people.code) == (2, 2)


@pytest.mark.parametrize(
    ("listens", "remedy"),
    [
        pytest.param(False, "The local stack is down: make local starts it.", id="down"),
        pytest.param(
            True,
            "The local stack runs and may be starting a function: wait, or start it anew with"
            " make local-stop and make local.",
            id="busy",
        ),
    ],
)
def test_a_stack_that_does_not_answer_says_so_at_once(
    api: FakeApi,
    elsewhere: Callable[..., Terminal],
    monkeypatch: pytest.MonkeyPatch,
    *,
    listens: bool,
    remedy: str,
) -> None:
    """Within two seconds; the remedy is that of a local stack, or of a profile."""
    monkeypatch.setattr(slowness, "_listens", lambda _: listens)
    local = elsewhere(TIMEGATE_API_URL="http://127.0.0.1:4566/x", TIMEGATE_TOKEN="t")
    remote = elsewhere(TIMEGATE_API_URL=API_URL, TIMEGATE_TOKEN="t")
    api.will(httpx.ConnectError("refused"))
    first, second = local.run("jobs", "list"), remote.run("jobs", "list", "--json")

    assert (first.code, second.code) == (3, 3)
    assert first.err.splitlines()[0] == (
        "error [not_reachable]: http://127.0.0.1:4566/x/v1/jobs does not answer: refused"
    )
    assert " ".join(" ".join(first.err.splitlines()[1:]).split()) == remedy
    assert "timegate profiles list" in json.loads(second.err)["error"]["remedy"]
    # The last pause is random, and may be too long; both commands share a clock.
    assert 4 <= len(local.slept) <= 6
    assert sum(local.slept) <= 2 * 1.3


@pytest.mark.parametrize(
    ("words", "scope"),
    [
        (("jobs", "cancel", JOB_ID), "timegate/write"),
        (("jobs", "list"), "timegate/read"),
        (("bulk", "pause", "--all"), "timegate/operate"),
        (("tenants", "show", "acme"), "timegate/admin"),
    ],
)
def test_a_scope_that_is_missing_is_named(
    api: FakeApi, timegate: Timegate, words: tuple[str, ...], scope: str
) -> None:
    """The gateway, which refuses, does not know the word."""
    api.will(httpx.Response(403, json={"message": "Forbidden"}))

    assert f"the scope {scope}." in timegate(*words).err


def test_a_refused_token_comes_with_a_remedy(
    api: FakeApi, elsewhere: Callable[..., Terminal]
) -> None:
    """The gateway says no more than that it is none; a refusal of the API's says why."""
    terminal = elsewhere(TIMEGATE_API_URL=API_URL, TIMEGATE_TOKEN="t")
    api.will(httpx.Response(401, json={"message": "Unauthorized"}))
    people, data = terminal.run("jobs", "list"), terminal.run("jobs", "list", "--json")
    api.will(refusal(401, "api_key_ended", "It was revoked."))
    revoked = terminal.run("jobs", "list")

    assert (people.code, "timegate login" in people.err) == (3, True)
    assert "timegate login" in json.loads(data.err)["error"]["remedy"]
    assert revoked.err == "error [api_key_ended]: It was revoked.\n"
