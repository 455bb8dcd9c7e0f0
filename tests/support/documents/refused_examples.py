"""Problems that teach: requests that go wrong in the ways that callers meet."""

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from tests.support.api import SCOPES, Answer, Api, gateway_event, new_job
from tests.support.factories import JOB_ID, TENANT
from tests.support.values.tokens import PERSON
from timegate.domain.values.errors import Throttled

Prepare = Callable[[Api], object]


@dataclass(frozen=True, kw_only=True)
class Refusal:
    """A request that leads to a problem."""

    status: str
    code: str
    method: str = "POST"
    path: str = "/v1/jobs"
    body: Any = None
    headers: dict[str, str] = field(default_factory=dict)
    #: ``None``: no token was checked.
    claims: dict[str, str] | None = field(
        default_factory=lambda: {"client_id": TENANT, "scope": SCOPES}
    )
    prepare: Prepare = lambda api: None


_JOB = f"/v1/jobs/{JOB_ID}"
_UNKNOWN = "/v1/jobs/aaaaaaaaaaaaaaaaaaaaaaaaaa"
_KEYED = {"Idempotency-Key": "nightly-report"}


def _throttled(*_: object, **__: object) -> None:
    raise Throttled


def _broken(*_: object, **__: object) -> None:
    raise RuntimeError


def _fail_reads(api: Api, how: Callable[..., None]) -> None:
    api.world.jobs.get = how  # type: ignore[assignment]


REFUSALS = (
    Refusal(
        status="BAD_REQUEST",
        code="invalid_request",
        body=new_job(schedule={"kind": "cron", "cron": "0 7 31 2 *"}),
    ),
    Refusal(status="BAD_REQUEST", code="malformed_json", body='{"name": '),
    Refusal(status="BAD_REQUEST", code="missing_body"),
    Refusal(status="UNAUTHORIZED", code="unauthenticated", method="GET", claims=None),
    Refusal(
        status="FORBIDDEN",
        code="insufficient_scope",
        body=new_job(),
        claims={"client_id": TENANT, "scope": "timegate/read"},
    ),
    Refusal(
        status="FORBIDDEN",
        code="insufficient_role",
        body=new_job(),
        claims={**PERSON, "cognito:groups": "[viewer]"},
    ),
    Refusal(
        status="FORBIDDEN",
        code="invalid_tenant",
        method="GET",
        claims={"scope": SCOPES},
    ),
    Refusal(status="NOT_FOUND", code="job_not_found", method="GET", path=_UNKNOWN),
    Refusal(status="NOT_FOUND", code="route_not_found", method="GET", path="/v1/jobs/a/b"),
    Refusal(
        status="CONFLICT",
        code="idempotency_conflict",
        body=new_job(),
        headers=_KEYED,
        prepare=lambda api: api.send("POST", "/v1/jobs", new_job(name="another"), **_KEYED),
    ),
    Refusal(
        status="CONFLICT",
        code="job_cancelled",
        path=f"{_JOB}/pause",
        prepare=lambda api: api.send("DELETE", _JOB),
    ),
    Refusal(
        status="CONFLICT",
        code="tenant_suspended",
        body=new_job(),
        prepare=lambda api: api.send("POST", f"/v1/tenants/{TENANT}/suspend"),
    ),
    Refusal(
        status="PRECONDITION_FAILED",
        code="version_mismatch",
        method="PATCH",
        path=_JOB,
        body={"priority": "low"},
        headers={"If-Match": '"7"'},
    ),
    Refusal(
        status="CONTENT_TOO_LARGE",
        code="body_too_large",
        body=new_job(payload="x" * 1_050_000),
    ),
    Refusal(
        status="UNSUPPORTED_MEDIA_TYPE",
        code="unsupported_media_type",
        body=new_job(),
        headers={"Content-Type": "application/yaml"},
    ),
    Refusal(
        status="UNPROCESSABLE_CONTENT",
        code="plaintext_secret",
        body=new_job(
            action={
                "type": "webhook",
                "url": "https://hooks.example.com/report",
                "headers": {"Authorization": "Bearer abcdefghijklmnop"},
            }
        ),
    ),
    Refusal(
        status="UNPROCESSABLE_CONTENT",
        code="invalid_dag",
        path="/v1/dags",
        body={"name": "nightly load", "tasks": []},
    ),
    Refusal(
        status="TOO_MANY_REQUESTS",
        code="rate_exceeded",
        method="GET",
        prepare=lambda api: (
            api.send(
                "PUT",
                f"/v1/tenants/{TENANT}",
                {"quotas": {"requests_per_second": 1, "burst": 1}},
            )
            and api.send("GET", "/v1/jobs")
        ),
    ),
    Refusal(
        status="INTERNAL_SERVER_ERROR",
        code="internal_error",
        method="GET",
        path=_JOB,
        prepare=lambda api: _fail_reads(api, _broken),
    ),
    Refusal(
        status="SERVICE_UNAVAILABLE",
        code="throttled",
        method="GET",
        path=_JOB,
        prepare=lambda api: _fail_reads(api, _throttled),
    ),
)


def refused_examples(open_api: Callable[[], Api]) -> dict[str, Any]:
    """Problems by status, then by code."""
    found: dict[str, Any] = {}
    for refusal in REFUSALS:
        answer = _refused(open_api(), refusal)
        problem = {"summary": answer.body["detail"], "value": answer.body}
        assert answer.code == refusal.code, answer.body
        found.setdefault(refusal.status, {})[answer.code] = problem
    return found


def _refused(api: Api, refusal: Refusal) -> Answer:
    refusal.prepare(api)
    body = refusal.body
    text = body if body is None or isinstance(body, str) else json.dumps(body)
    event = gateway_event(
        refusal.method,
        refusal.path,
        body=text,
        headers={"Content-Type": "application/json"} | refusal.headers,
        claims=refusal.claims,
    )
    return api.deliver(event)
