"""Credentials that callers send are refused everywhere; those that programs say are not kept."""

import json
from typing import Any

import pytest

from tests.support.api import Api, new_job
from tests.support.pools.worker_requests import claim, offer, say
from tests.support.values.credentials import CANARY
from timegate.domain.values.redaction import REDACTED

TOKEN = f"sk_live_{CANARY}"
HOOK = "https://hooks.example.com/report"
JOB = "/v1/jobs"


def webhook(**fields: object) -> dict[str, object]:
    """A change of the action."""
    return {"action": {"type": "webhook", "url": HOOK, **fields}}


#: By place: what a job may not be sent with.
OF_A_JOB: list[tuple[str, dict[str, object]]] = [
    ("name", {"name": TOKEN}),
    ("description", {"description": f"uses {TOKEN}"}),
    ("payload.note", {"payload": {"note": TOKEN}}),
    ("payload.password", {"payload": {"password": CANARY}}),
    ("tags.team", {"tags": {"team": TOKEN}}),
    ("tags", {"tags": {TOKEN: "x"}}),
    ("metadata.x", {"metadata": {"x": TOKEN}}),
    ("action.url", webhook(url=f"https://me:{CANARY}@example.com/")),
    ("action.url", webhook(url=f"{HOOK}?key={TOKEN}")),
    ("action.headers.Authorization", webhook(headers={"Authorization": CANARY})),
    ("action.headers.X-Auth-Token", webhook(headers={"X-Auth-Token": CANARY})),
    ("action.headers.X-Trace", webhook(headers={"X-Trace": TOKEN})),
    (
        "action.secret_headers.Authorization",
        webhook(secret_headers={"Authorization": f"Bearer {CANARY}"}),
    ),
    ("action.signing_secret", webhook(signing_secret=CANARY)),
    ("notifications.0.url", {"notifications": [{"url": f"https://a:{CANARY}@x.com/"}]}),
    ("before.url", {"before": {"url": f"{HOOK}/{TOKEN}"}}),
    ("then.0.job_id", {"then": [{"on": ["succeeded"], "job_id": TOKEN}]}),
    ("overlap.concurrency_key", {"overlap": {"policy": "queue", "concurrency_key": TOKEN}}),
    ("no_such_field", {"no_such_field": TOKEN}),
]
_INLINE = {"action": {"type": "webhook", "url": HOOK}}
#: Requests of other kinds: method, path, body, and the place.
OTHERS: list[tuple[str, str, Any, str]] = [
    (
        "POST",
        "/v1/dags",
        {"name": "d", "tasks": [{"key": "a", "job": _INLINE, "input": TOKEN}]},
        "tasks.0.input",
    ),
    ("POST", "/v1/dags/validate", {"name": TOKEN, "tasks": []}, "name"),
    ("POST", "/v1/dags/d/runs", {"parameters": {"api_key": CANARY}}, "parameters.api_key"),
    ("POST", "/v1/freezes", {"scope": {"kind": "tenant"}, "reason": TOKEN}, "reason"),
    (
        "PUT",
        "/v1/calendars/days",
        {"timezone": "UTC", "days": [], "description": TOKEN},
        "description",
    ),
    ("POST", "/v1/dead-letters/discard", {"run_ids": [], "note": TOKEN}, "note"),
    ("POST", "/v1/simulate", {"jobs": [{"name": TOKEN}]}, "jobs.0.name"),
]


def everything(api: Api) -> str:
    """All that is kept and all that was told."""
    world = api.world
    return repr((vars(world.tables), vars(world.blobs), vars(world.telemetry)))


@pytest.mark.parametrize(("field", "changes"), OF_A_JOB)
def test_a_job_is_refused_with_a_credential_wherever_it_stands(
    api: Api, field: str, changes: dict[str, object]
) -> None:
    """New or changed; the answer, the tables and the logs know nothing of it."""
    job = api.create()
    answers = [
        api.send("POST", JOB, new_job(**changes)),
        api.send("PATCH", f"{JOB}/{job['job_id']}", changes),
    ]

    for answer in answers:
        assert (answer.status, answer.code) == (422, "plaintext_secret")
        assert answer.fields == [(field, "plaintext_secret")]
        assert CANARY not in json.dumps(answer.body)
    assert CANARY not in everything(api)


@pytest.mark.parametrize(("method", "path", "body", "field"), OTHERS)
def test_nothing_else_takes_one_either(
    api: Api, method: str, path: str, body: object, field: str
) -> None:
    """Before it is looked at whether the thing exists, or the rest is as it must be."""
    answer = api.send(method, path, body)

    assert (answer.status, answer.code) == (422, "plaintext_secret")
    assert answer.fields == [(field, "plaintext_secret")]
    assert CANARY not in json.dumps(answer.body) + everything(api)


def test_of_many_jobs_only_those_with_a_credential_are_refused(api: Api) -> None:
    """The others are created; the places are those of the one job."""
    jobs = [new_job(), new_job(payload={"token": CANARY}), new_job()]
    answer = api.send("POST", "/v1/jobs/bulk", {"jobs": jobs})

    assert (answer.status, answer.body["created"], answer.body["failed"]) == (207, 2, 1)
    assert answer.body["items"][1]["error"]["code"] == "plaintext_secret"
    assert answer.body["items"][1]["error"]["errors"][0]["field"] == "jobs.1.payload.token"
    assert CANARY not in json.dumps(answer.body) + everything(api)


def test_what_a_caller_misspells_is_quoted_without_credentials(api: Api) -> None:
    """Ids in paths stand in details of problems, and those in logs."""
    answer = api.send("GET", f"{JOB}/{TOKEN}")

    assert answer.status == 404
    assert CANARY not in json.dumps(answer.body)


def test_what_a_worker_says_is_kept_without_credentials(api: Api) -> None:
    """Its lines, its progress and its result; who reads the run reads what is left."""
    offer(api)
    (run,) = claim(api)
    say(api, "logs", run, sequence=1, lines=[{"text": f"got {TOKEN}, password={CANARY}"}])
    say(api, "heartbeat", run, progress={"percent": 50, "message": f"with {TOKEN}"})
    done = say(api, "complete", run, result={"rows": 5, "note": f"{TOKEN} {'x' * 600}"})
    log = api.send("GET", f"/v1/runs/{run['run_id']}/logs").body
    (whole,) = [text for path, text in api.world.blobs.blobs.items() if path.startswith("results/")]

    assert done.status == 200
    assert f"got {REDACTED}, password={REDACTED}" in [line["text"] for line in log["items"]]
    assert json.loads(whole) == {"rows": 5, "note": f"{REDACTED} {'x' * 600}"}
    assert CANARY not in everything(api)


def test_a_failure_is_kept_without_credentials(api: Api) -> None:
    """The worker's error text and every record made of it are redacted."""
    offer(api)
    (run,) = claim(api)
    error = {"code": "refused", "type": "Denied", "message": f"Bearer {CANARY * 3} is not valid"}
    failed = say(api, "fail", run, error=error, retryable=False)

    assert failed.status == 200
    assert CANARY not in json.dumps(failed.body) + everything(api)
