"""Dead letters over HTTP: found, understood, tried again, let rest."""

from pathlib import Path
from typing import Any

import pytest

from tests.support.api import Api
from tests.support.documents.http_examples import agrees, read_examples
from tests.support.factories import OTHER_TENANT
from tests.support.operations.burying import dead_factory
from timegate.domain.jobs.retry import Failure, FailureKind

DOCUMENT = Path(__file__).resolve().parents[4] / "docs" / "guides" / "dead-letters.md"
PATH = "/v1/dead-letters"
BROKEN = Failure(
    kind=FailureKind.RETRYABLE,
    code="http_503",
    type="HttpStatus",
    message="The target answered 503: busy",
)
ONCE = {"max_attempts": 1}
NOW_ONLY = {"kind": "immediate"}


def give_up(api: Api, **fields: Any) -> str:  # noqa: ANN401 - as ``create`` takes them
    """The id of a run that was given up, of a new job."""
    api.world.target.then(BROKEN)
    asked: dict[str, Any] = {"schedule": NOW_ONLY, "retry": ONCE} | fields
    job_id = api.create(**asked)["job_id"]
    api.world.settle()
    (letter,) = listed(api, f"job_id={job_id}")
    return letter


def listed(api: Api, query: str = "") -> list[str]:
    """The runs that a listing names."""
    return [row["run_id"] for row in api.send("GET", f"{PATH}?{query}").body["items"]]


@pytest.fixture
def run_id(api: Api) -> str:
    """A run that was given up."""
    return give_up(api, payload={"to": "bob"})


def test_everything_that_is_known_is_shown(api: Api, run_id: str) -> None:
    """Also once the job is another: what ran is shown, and that it is not what would run."""
    job_id = run_id.partition(".")[0]
    changes = {"action": {"type": "webhook", "url": "https://hooks.example.com/new"}}
    patched = api.send("PATCH", f"/v1/jobs/{job_id}", {**changes, "payload": None})
    letter = api.send("GET", f"{PATH}/{run_id}").body
    (attempt,) = letter["attempts"]

    assert patched.status == 200
    assert letter["job"]["action"]["url"] == "https://hooks.example.com/report"
    assert letter["payload"] == {"to": "bob"}
    assert letter["job_now"]["same_definition"] is False
    assert letter["job_now"]["version"] == patched.body["version"]
    assert (attempt["error"]["code"], attempt["worker"], attempt["fence"]) == (
        "http_503",
        "worker-1",
        1,
    )
    assert letter["explanation"] == attempt["explanation"]


def test_a_large_payload_is_shown_whole(api: Api) -> None:
    """That of the version that ran, from where it lies."""
    large = {"text": "x" * 2000}
    run_id = give_up(api, payload=large)
    api.send("PATCH", f"/v1/jobs/{run_id.partition('.')[0]}", {"payload": None})

    assert api.send("GET", f"{PATH}/{run_id}").body["payload"] == large


def test_a_redriven_run_succeeds_with_what_was_corrected(api: Api, run_id: str) -> None:
    """And is no dead letter any more."""
    redriven = api.send("POST", f"{PATH}/{run_id}/redrive", {"payload": {"to": "ann"}})
    api.world.settle()
    run = api.send("GET", redriven.headers["location"]).body

    assert (redriven.status, redriven.body["attempt"]) == (202, 2)
    assert run["state"] == "succeeded"
    assert [call.payload for call in api.world.target.calls] == ['{"to":"bob"}', '{"to":"ann"}']
    assert listed(api) == []
    assert [a["payload_corrected"] for a in run["attempts"]] == [False, True]


def test_without_a_body_it_is_tried_as_it_was(api: Api, run_id: str) -> None:
    """An empty object is none either."""
    api.world.target.then(BROKEN)
    api.send("POST", f"{PATH}/{run_id}/redrive")
    api.world.settle()
    api.send("POST", f"{PATH}/{run_id}/redrive", {})
    api.world.settle()

    assert [call.payload for call in api.world.target.calls] == ['{"to":"bob"}'] * 3


def test_a_discarded_one_is_let_rest(api: Api, run_id: str) -> None:
    """With a note, or without one."""
    other = give_up(api)
    first = api.send("POST", f"{PATH}/{run_id}/discard", {"note": "obsolete"})
    second = api.send("POST", f"{PATH}/{other}/discard")

    assert (first.status, first.body["state"]) == (200, "dead_lettered")
    assert first.body["attempts"][0]["resolution"] == {
        "settled": "discarded",
        "by": "acme",
        "at": first.body["attempts"][0]["ended_at"],
        "note": "obsolete",
        "operation_id": None,
        "job_version": None,
        "payload_corrected": False,
        "fresh": False,
    }
    assert second.body["attempts"][0]["resolution"]["note"] is None
    assert listed(api) == []


@pytest.mark.parametrize("verb", ["redrive", "discard"])
def test_what_is_settled_is_settled(api: Api, run_id: str, verb: str) -> None:
    """409 for a second decision, 404 for a read of it."""
    api.send("POST", f"{PATH}/{run_id}/discard")
    again = api.send("POST", f"{PATH}/{run_id}/{verb}")
    gone = api.send("GET", f"{PATH}/{run_id}")

    assert (again.status, again.code) == (409, "not_dead_lettered")
    assert (gone.status, gone.code) == (404, "dead_letter_not_found")
    assert "discarded" in again.body["detail"]


@pytest.mark.parametrize(
    ("method", "path"),
    [("GET", ""), ("POST", "/redrive"), ("POST", "/discard")],
    ids=str,
)
@pytest.mark.parametrize("text", ["{run}", "{unknown}", "x", "..", "%2e%2e", "🐙"])
def test_foreign_and_unknown_dead_letters_are_not_there(
    api: Api, run_id: str, method: str, path: str, text: str
) -> None:
    """404, and nothing changes."""
    unknown = run_id.replace(run_id[:26], "a" * 26)
    named = text.format(run=run_id, unknown=unknown)
    before = dict(api.world.tables.attempts)
    answer = api.send(method, f"{PATH}/{named}{path}", tenant=OTHER_TENANT)

    assert answer.status == 404
    assert api.world.tables.attempts == before


@pytest.mark.parametrize(
    ("change", "code"), [("cancel", "job_cancelled"), ("pause", "job_paused")], ids=str
)
def test_what_its_job_would_not_run_is_not_redriven(api: Api, change: str, code: str) -> None:
    """409; it can be discarded all the same."""
    job_id = api.create()["job_id"]
    api.world.tables.put_attempt(dead_factory(-60, job=job_id))
    (run_id,), path = listed(api), f"/v1/jobs/{job_id}"
    api.send("POST", f"{path}/pause") if change == "pause" else api.send("DELETE", path)
    refused = api.send("POST", f"{PATH}/{run_id}/redrive")

    assert (refused.status, refused.code) == (409, code)
    assert api.send("POST", f"{PATH}/{run_id}/discard").status == 200


def test_a_listing_is_narrowed_by_each_criterion(api: Api, run_id: str) -> None:
    """And by several; a page leads to the next."""
    other = give_up(api)
    job_id = other.partition(".")[0]

    assert sorted(listed(api)) == sorted([run_id, other])
    assert listed(api, f"job_id={job_id}") == [other]
    assert listed(api, f"job_id={job_id}&error_code=http_400") == []
    assert len(listed(api, "reason=retries_exhausted")) == 2
    assert listed(api, "reason=kills_workers") == []
    assert listed(api, "from=2026-11-21T08:00:00Z") == []
    assert len(listed(api, "to=2026-11-21T08:00:00Z")) == 2
    first = api.send("GET", f"{PATH}?limit=1").body
    second = api.send("GET", f"{PATH}?limit=1&cursor={first['next_cursor']}").body
    assert first["items"] != second["items"]
    assert second["next_cursor"] is None


@pytest.mark.parametrize(
    ("query", "field", "code"),
    [
        ("job_id=x", "job_id", "invalid_format"),
        ("job_id=", "job_id", "invalid_format"),
        ("reason=because", "reason", "invalid_choice"),
        ("error_code=", "error_code", "too_short"),
        (f"error_code={'x' * 101}", "error_code", "too_long"),
        ("error_code=a%00b", "error_code", "invalid_format"),
        ("from=yesterday", "from", "invalid_instant"),
        ("from=2026-11-21T08:00:00Z&to=2026-11-21T07:00:00Z", "to", "range_reversed"),
        ("cursor=x", "cursor", "invalid_cursor"),
        ("limit=0", "limit", "too_small"),
        ("limit=101", "limit", "too_large"),
        ("state=failed", "state", "unknown_field"),
        ("reason=late&reason=late", "reason", "repeated"),
    ],
    ids=str,
)
def test_a_criterion_that_means_nothing_is_refused(
    api: Api, query: str, field: str, code: str
) -> None:
    """A filter that is ignored would answer with everything."""
    answer = api.send("GET", f"{PATH}?{query}")

    assert (answer.status, answer.fields) == (400, [(field, code)])


@pytest.mark.parametrize(
    ("body", "field", "code"),
    [
        ({"payload": "x" * 262_200}, "payload", "payload_too_large"),
        ({"note": ""}, "note", "too_short"),
        ({"note": "x" * 501}, "note", "too_long"),
        ({"note": "a\u0000b"}, "note", "invalid_format"),
        ({"note": 1}, "note", "wrong_type"),
        ({"playload": 1}, "playload", "unknown_field"),
    ],
    ids=lambda value: str(value)[:20],
)
def test_a_redrive_that_cannot_be_is_refused(
    api: Api, run_id: str, body: dict[str, Any], field: str, code: str
) -> None:
    """Before anything changes."""
    answer = api.send("POST", f"{PATH}/{run_id}/redrive", body)

    assert (answer.status, answer.fields) == (400, [(field, code)])
    assert listed(api) == [run_id]


@pytest.mark.parametrize("payload", [{"email": "x"}, {"default": 1}, "text", None], ids=str)
@pytest.mark.parametrize("many", [True, False], ids=["many", "one"])
def test_a_payload_that_its_target_cannot_read_is_refused(
    api: Api,
    payload: Any,  # noqa: ANN401 - any JSON
    *,
    many: bool,
) -> None:
    """The run would fail again, with its dead letter settled; a trigger is refused alike."""
    topic = "arn:aws:sns:eu-central-1:111122223333:timegate-target-acme-topic"
    action = {"type": "sns", "topic_arn": topic, "message_structure": "json"}
    run_id = give_up(api, action=action, payload={"default": "x"})
    target = f"{PATH}/redrive" if many else f"{PATH}/{run_id}/redrive"
    selected = {"filter": {"job_id": run_id.partition(".")[0]}} if many else {}
    refused = api.send("POST", target, {"payload": payload, **selected})
    taken = api.send("POST", target, {"payload": {"default": "y"}, **selected})

    assert (refused.status, refused.fields) == (400, [("payload", "no_default_message")])
    assert taken.status == 202


def test_the_page_on_dead_letters_shows_what_is_answered(api: Api) -> None:
    """Its examples, one after the other; the target refuses what a job is made for."""
    seen: dict[str, str] = {}
    for request, shown in read_examples(DOCUMENT.read_text()):
        method, target = request.first.split(" ", 1)
        headers = {name.replace("-", "_"): text for name, text in request.headers.items()}
        if request.first == "POST /v1/jobs":
            api.world.target.then(BROKEN)
        if request.body is not None and "filter" in request.body:
            request.body["filter"]["job_id"] = seen["job_id"]
        answer = api.send(method, target.format(**seen), request.body, **headers)
        for found in (answer.body, *answer.body.get("items", [])):
            ids = ("job_id", "operation_id", "run_id")
            seen.update({name: found[name] for name in ids if found.get(name)})
        api.world.settle()
        api.world.clock.advance(1)

        assert int(shown.first.split(" ", 1)[0]) == answer.status, request
        assert agrees(shown.body, answer.body), (request, answer.body)
