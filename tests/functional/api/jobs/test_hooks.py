"""Hooks over HTTP: ``docs/guides/hooks.md`` is true, and what could not follow is refused."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.support.api import Answer, Api, new_job
from tests.support.documents.http_examples import Message, agrees, read_examples
from timegate.domain.jobs.retry import Failure, FailureKind

LOCKED = Failure(kind=FailureKind.PERMANENT, code="http_423", type="HttpStatus", message="wait")
CLOSED = Failure(kind=FailureKind.PERMANENT, code="http_403", type="HttpStatus", message="no")
PAGE = Path("docs/guides/hooks.md").read_text(encoding="utf-8")
UNKNOWN = "a" * 26


def filled(text: str, seen: dict[str, str]) -> str:
    """A text with the ids of what was seen, where it names them in braces."""
    return re.sub(r"\{(\w+)\}", lambda found: seen[found[1]], text)


def remember(answer: Answer, seen: dict[str, str]) -> None:
    """Jobs by their names, runs as theirs, and what a run triggered."""
    body = answer.body
    names = {job_id: name for name, job_id in seen.items()}
    if "name" in body:
        seen[body["name"]] = body["job_id"]
    if "run_id" in body:
        seen[f"{names[body['job_id']]}_run"] = body["run_id"]
    for each in body.get("triggered", []):
        seen["triggered"] = each["run_id"]


def serve(api: Api, request: Message, seen: dict[str, str]) -> Answer:
    """Send an example, and let whatever it began take its course."""
    method, target = request.first.split(" ", 1)
    body = json.loads(filled(json.dumps(request.body), seen))
    answer = api.send(method, filled(target, seen), body)
    remember(answer, seen)
    api.world.settle()
    api.world.clock.advance(1)
    return answer


def test_the_page_is_true(api: Api) -> None:
    """Every example of it, one after the other."""
    seen: dict[str, str] = {}
    for request, shown in read_examples(PAGE):
        answer = serve(api, request, seen)
        told = json.loads(filled(json.dumps(shown.body), seen))

        assert answer.status == int(shown.first.split(" ")[0]), request
        assert agrees(told, answer.body), (request, answer.body)


def test_a_target_is_told_what_the_page_says(api: Api) -> None:
    """Field by field."""
    (text,) = re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)
    report = api.create(name="report")
    follow_up = {"job_id": report["job_id"], "on": ["finished"], "payload": "result"}
    api.create(name="billing", then=[follow_up], schedule={"kind": "immediate"})
    api.world.settle()
    told = [json.loads(call.payload or "null") for call in api.world.target.calls if call.parent]

    assert [[*each] for each in told] == [[*json.loads(text)]]


def test_a_job_says_what_follows(api: Api) -> None:
    """Given, kept by what does not touch it, and taken back."""
    report = api.create(name="report")
    follow_up = {"job_id": report["job_id"], "on": ["failed", "dead_lettered"]}
    job = api.create(then=[follow_up])
    path = f"/v1/jobs/{job['job_id']}"
    renamed = api.send("PATCH", path, {"name": "other"}).body
    alone = api.send("PATCH", path, {"then": []}).body

    assert renamed["then"] == [{**follow_up, "payload": "own"}]
    assert alone["then"] == []


@pytest.mark.parametrize(
    ("follow_up", "field", "code"),
    [
        pytest.param({"job_id": "report"}, "job_id", "invalid_format", id="no-id"),
        pytest.param({"job_id": UNKNOWN}, "job_id", "unknown_job", id="unknown"),
        pytest.param({"on": []}, "on", "too_short", id="never"),
        pytest.param({"on": ["late"]}, "on.0", "invalid_choice", id="no-end"),
        pytest.param({"on": ["failed", "failed"]}, "on", "repeated", id="end-twice"),
        pytest.param({"on": ["finished", "failed"]}, "on", "without_effect", id="and-more"),
        pytest.param({"payload": "none"}, "payload", "invalid_choice", id="no-payload"),
    ],
)
def test_what_could_not_follow_is_refused(
    api: Api, follow_up: dict[str, Any], field: str, code: str
) -> None:
    """At creation and at a change, naming the place."""
    report, job = api.create(name="report"), api.create()
    asked = {"then": [{"job_id": report["job_id"], "on": ["failed"], **follow_up}]}
    answers = [
        api.send("POST", "/v1/jobs", new_job(**asked)),
        api.send("PATCH", f"/v1/jobs/{job['job_id']}", asked),
    ]

    for answer in answers:
        assert (answer.status, answer.fields) == (400, [(f"then.0.{field}", code)])


def test_a_job_says_who_is_asked(api: Api) -> None:
    """Given, kept by what does not touch it, and taken back."""
    condition = {"type": "http", "url": "https://gate.example.com/", "every_seconds": 30}
    job = api.create(before=condition)
    path = f"/v1/jobs/{job['job_id']}"
    renamed = api.send("PATCH", path, {"name": "other"}).body
    alone = api.send("PATCH", path, {"before": None}).body

    assert renamed["before"] == {
        **condition,
        "signing_secret": None,
        "give_up_after_seconds": 3600,
    }
    assert alone["before"] is None


@pytest.mark.parametrize(
    ("condition", "field", "code"),
    [
        pytest.param({"url": "http://127.0.0.1/"}, "url", "address_not_allowed", id="inside"),
        pytest.param({"type": "job"}, "type", "invalid_choice", id="no-type"),
        pytest.param({"every_seconds": 4}, "every_seconds", "too_small", id="too-often"),
        pytest.param(
            {"give_up_after_seconds": 604_801}, "give_up_after_seconds", "too_large", id="too-long"
        ),
        pytest.param(
            {"signing_secret": {"ssm_parameter": "/timegate-target/globex/keys"}},
            "signing_secret",
            "secret_not_allowed",
            id="anothers-secret",
        ),
    ],
)
def test_what_could_not_be_asked_is_refused(
    api: Api, condition: dict[str, Any], field: str, code: str
) -> None:
    """At creation and at a change, naming the place."""
    asked = {"before": {"type": "http", "url": "https://gate.example.com/", **condition}}
    job = api.create()
    answers = [
        api.send("POST", "/v1/jobs", new_job(**asked)),
        api.send("PATCH", f"/v1/jobs/{job['job_id']}", asked),
    ]

    for answer in answers:
        assert (answer.status, answer.fields) == (400, [(f"before.{field}", code)])


def test_a_run_that_may_not_begin_says_why(api: Api) -> None:
    """In what people read, while it waits and when it is given up."""
    condition = {"type": "http", "url": "https://gate.example.com/", "give_up_after_seconds": 60}
    job = api.create(before=condition, schedule={"kind": "at", "at": "2027-01-01T00:00:00Z"})
    run = api.send("POST", f"/v1/jobs/{job['job_id']}/trigger").body
    path = f"/v1/runs/{run['run_id']}"
    api.world.target.then(LOCKED, CLOSED)
    api.world.execute(api.world.receive())
    waits = api.send("GET", path).body
    api.world.clock.advance(60)
    api.world.stream()
    api.world.execute(api.world.receive())
    ended = api.send("GET", path).body

    assert (waits["state"], waits["reason"]) == ("queued", None)
    assert "http_423" in waits["explanation"]
    assert (ended["state"], ended["reason"]) == ("skipped", "condition")
    assert "http_403" in ended["explanation"]


def test_a_cancelled_job_cannot_follow(api: Api) -> None:
    """It would be refused each time."""
    report = api.create(name="report")
    api.send("DELETE", f"/v1/jobs/{report['job_id']}")
    asked = {"then": [{"job_id": report["job_id"], "on": ["failed"]}]}
    answer = api.send("POST", "/v1/jobs", new_job(**asked))

    assert (answer.status, answer.fields) == (400, [("then.0.job_id", "job_cancelled")])
