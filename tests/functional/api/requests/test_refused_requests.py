"""A request of the wrong form is refused by every operation."""

import pytest

from tests.support.api import REQUEST_ID, SCOPES, Api, gateway_event, new_job
from tests.support.factories import JOB_ID
from timegate.domain.runs.run import Reason

CLAIMS = {"client_id": "acme", "scope": SCOPES}
RUN_ID = f"{JOB_ID}.s20261121T070000000Z"


@pytest.mark.parametrize(
    ("method", "path", "status", "code", "allow"),
    [
        ("GET", "/v1/nothing", 404, "route_not_found", None),
        ("GET", "/", 404, "route_not_found", None),
        ("GET", "/v1/jobs/", 404, "route_not_found", None),
        ("POST", f"/v1/jobs/{JOB_ID}/explode", 404, "route_not_found", None),
        ("GET", '/v1/jobs/"', 404, "route_not_found", None),
        ("PUT", "/v1/jobs", 405, "method_not_allowed", "POST, GET"),
        ("DELETE", f"/v1/runs/{RUN_ID}", 405, "method_not_allowed", "GET"),
        ("GET", f"/v1/jobs/{JOB_ID}/pause", 405, "method_not_allowed", "POST"),
    ],
)
def test_what_is_not_served_is_said_to_be_so(
    api: Api, method: str, path: str, status: int, code: str, allow: str | None
) -> None:
    """No path, or the path with other methods."""
    answer = api.deliver(gateway_event(method, path, claims=CLAIMS))

    assert (answer.status, answer.code) == (status, code)
    assert answer.headers.get("allow") == allow


@pytest.mark.parametrize(
    ("method", "path", "code"),
    [
        ("GET", "/v1/jobs/{}", "job_not_found"),
        ("PATCH", "/v1/jobs/{}", "job_not_found"),
        ("DELETE", "/v1/jobs/{}", "job_not_found"),
        ("POST", "/v1/jobs/{}/pause", "job_not_found"),
        ("POST", "/v1/jobs/{}/resume", "job_not_found"),
        ("POST", "/v1/jobs/{}/trigger", "job_not_found"),
        ("GET", "/v1/jobs/{}/runs", "job_not_found"),
        ("GET", "/v1/runs/{}.s20261121T070000000Z", "run_not_found"),
        ("POST", "/v1/runs/{}.s20261121T070000000Z/cancel", "run_not_found"),
    ],
)
@pytest.mark.parametrize("name", [JOB_ID, "no-id", "a" * 27, JOB_ID.upper(), "%00", "'; --"])
def test_an_unknown_id_and_text_that_is_none_are_alike(
    api: Api, method: str, path: str, code: str, name: str
) -> None:
    """404: no caller learns which ids could exist."""
    body = {"name": "x"} if method == "PATCH" else None
    answer = api.send(method, path.format(name), body)

    assert (answer.status, answer.code, answer.fields) == (404, code, [])


@pytest.mark.parametrize("instant", ["20261321T070000000Z", "20261121T246000000Z", "2026"])
def test_an_impossible_instant_is_no_run(api: Api, instant: str) -> None:
    """Nor is it our fault."""
    answer = api.send("GET", f"/v1/runs/{JOB_ID}.s{instant}")

    assert (answer.status, answer.code) == (404, "run_not_found")


QUERIES = [
    ("limit=0", "limit", "too_small"),
    ("limit=101", "limit", "too_large"),
    ("limit=ten", "limit", "wrong_type"),
    ("limit=", "limit", "wrong_type"),
    ("limit=1&limit=2", "limit", "repeated"),
    ("cursor=nonsense", "cursor", "invalid_cursor"),
    ("cursor=%C3%A9", "cursor", "invalid_cursor"),
    ("cursor=", "cursor", "invalid_cursor"),
    (f"cursor={'x' * 513}", "cursor", "too_long"),
    ("page=2", "page", "unknown_field"),
    ("&".join(f"tag=a:{n}" for n in range(51)), "query", "too_long"),
]
JOB_QUERIES = [
    ("status=running", "status", "invalid_choice"),
    ("kind=lunar", "kind", "invalid_choice"),
    ("priority=urgent", "priority", "invalid_choice"),
    ("tag=team", "tag.0", "invalid_format"),
    ("&".join(f"tag=a:{n}" for n in range(21)), "tag", "too_long"),
]


@pytest.mark.parametrize(
    ("path", "query", "field", "code"),
    [
        *(("/v1/jobs", *case) for case in [*QUERIES, *JOB_QUERIES]),
        *((f"/v1/jobs/{JOB_ID}/runs", *case) for case in QUERIES),
    ],
)
def test_a_listing_refuses_what_it_cannot_honour(
    api: Api, path: str, query: str, field: str, code: str
) -> None:
    """A misspelt filter that was ignored would answer with everything."""
    answer = api.send("GET", f"{path}?{query}")

    assert (answer.status, answer.fields) == (400, [(field, code)])


@pytest.mark.parametrize(
    ("method", "target", "body", "field"),
    [
        ("POST", "/v1/jobs?dry_run=true", new_job(), "dry_run"),
        ("GET", f"/v1/jobs/{JOB_ID}?fields=name", None, "fields"),
        ("POST", f"/v1/jobs/{JOB_ID}/trigger", {"payloads": 1}, "payloads"),
        ("POST", f"/v1/jobs/{JOB_ID}/pause", {"until": "tomorrow"}, "until"),
        ("DELETE", f"/v1/jobs/{JOB_ID}", {"reason": "old"}, "reason"),
    ],
)
def test_nothing_that_was_sent_is_ignored(
    api: Api, method: str, target: str, body: dict[str, object] | None, field: str
) -> None:
    """A caller that sends a parameter relies on it."""
    answer = api.send(method, target, body)

    assert (answer.status, answer.fields) == (400, [(field, "unknown_field")])


def test_an_unknown_choice_is_refused_with_all_that_there_are(api: Api) -> None:
    """Each in the words of callers, and to the last: the reasons of runs are many."""
    sent = {"kind": "stop", "filter": {"all": True}}
    operation = api.send("POST", "/v1/operations", sent).body["errors"][0]
    letters = {"filter": {"reason": "tired"}}
    reason = api.send("POST", "/v1/dead-letters/redrive", letters).body["errors"][0]
    event = {"specversion": "0.3", "id": "1", "source": "shop", "type": "paid"}
    version = api.send("POST", "/v1/events", event).body["errors"][0]

    assert operation["detail"] == "It must be one of 'pause', 'resume' or 'cancel'."
    assert [f"'{each}'" in reason["detail"] for each in Reason] == [True] * len(Reason)
    assert version["detail"] == "It must be '1.0'."
    assert {each["code"] for each in (operation, reason, version)} == {"invalid_choice"}


@pytest.mark.parametrize(
    ("method", "path", "header", "text", "code"),
    [
        ("POST", "/v1/jobs", "Idempotency-Key", "two words", "invalid_idempotency_key"),
        ("POST", "/v1/jobs", "Idempotency-Key", "", "invalid_idempotency_key"),
        ("POST", "/v1/jobs", "Idempotency-Key", "x" * 256, "invalid_idempotency_key"),
        ("PATCH", f"/v1/jobs/{JOB_ID}", "If-Match", "3", "invalid_if_match"),
        ("PATCH", f"/v1/jobs/{JOB_ID}", "If-Match", '"x"', "invalid_if_match"),
        ("POST", f"/v1/jobs/{JOB_ID}/pause", "If-Match", '"1", "2"', "invalid_if_match"),
        ("POST", f"/v1/jobs/{JOB_ID}/trigger", "Idempotency-Key", " k", "invalid_idempotency_key"),
        ("POST", f"/v1/jobs/{JOB_ID}/trigger", "If-Match", '"1"', "if_match_unsupported"),
    ],
)
def test_a_condition_that_cannot_be_honoured_is_refused(
    api: Api, method: str, path: str, header: str, text: str, code: str
) -> None:
    """Carrying the request out without it would do what its sender ruled out."""
    body = {"POST": new_job() if path == "/v1/jobs" else None, "PATCH": {"name": "x"}}[method]
    answer = api.send(method, path, body, **{header.replace("-", "_"): text})

    assert (answer.status, answer.fields) == (400, [(header, code)])


def test_a_problem_says_what_callers_and_support_need(api: Api) -> None:
    """The shape of RFC 9457, with a code for programs and an id for people."""
    answer = api.send("GET", f"/v1/jobs/{JOB_ID}")

    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.headers["cache-control"] == "no-store"
    assert answer.headers["x-request-id"] == REQUEST_ID
    assert answer.body == {
        "type": "urn:timegate:problem:job_not_found",
        "title": "Not Found",
        "status": 404,
        "code": "job_not_found",
        "detail": f"There is no job {JOB_ID}.",
        "errors": [],
        "instance": f"urn:timegate:request:{REQUEST_ID}",
        "request_id": REQUEST_ID,
    }
