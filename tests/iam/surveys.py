"""Callers, administrators, workers and the auditor read everything there is after a flow.

The flows of the crash matrix write; these requests read what they wrote, in every way the API has.
"""

import json
from dataclasses import replace
from functools import partial

from tests.crash.story import Flow, Story
from tests.support.api import ADMIN_SCOPES, SCOPES, gateway_event

_LISTS = (
    *("/v1/jobs", "/v1/jobs?status=completed&tag=a%3Db", "/v1/calendars", "/v1/freezes"),
    *("/v1/operations", "/v1/dags", "/v1/tenant", "/v1/audit", "/v1/dead-letters", "/v1/runs"),
    *("/v1/dead-letters?reason=retries_exhausted", "/v1/dead-letters?error_code=lambda_error"),
    *("/v1/freezes?unended=true", "/v1/operations?kind=backfill&status=running"),
    *("/v1/pools", "/v1/overview", "/v1/decisions", "/v1/runs?which=all", "/v1/cost"),
    *("/v1/approvals", "/v1/approvals?task_key=first"),
)
_OF_A_JOB = ("", "/runs", "/ledger", "/audit", "/statistics")
_OF_A_RUN = ("", "/notifications", "/attempts", "/result", "/logs")
_OF_A_DAG = ("", "/versions", "/versions/1", "/graph", "/runs")
_OF_A_DAG_RUN = ("", "/graph", "/gantt")
#: Seconds after its beginning: while jobs are due, and when they have been planned.
_AUDITED_AT = (90, 200, 260)
_TICK = {"shards": [0], "of": 1}


def surveyed(flow: Flow) -> Flow:
    """The same flow; the auditor looks on, and when its promise is kept, everything is read."""

    def begin(story: Story) -> object:
        for seconds in _AUDITED_AT:
            story.cloud.at(seconds, partial(story.cloud.start, "auditor", _TICK, _nothing))
        return flow.begin(story)

    def promise(story: Story, begun: object) -> None:
        flow.promise(story, begun)
        look_around(story)

    return replace(flow, begin=begin, promise=promise)


def look_around(story: Story) -> None:
    """Read everything of a tenant, and let the auditor and an administrator do so."""
    for path in _LISTS:
        _ask(story, "GET", path)
    for job_id in _ids(story.jobs, "job")[:2]:
        for rest in _OF_A_JOB:
            _ask(story, "GET", f"/v1/jobs/{job_id}{rest}")
        _ask(story, "GET", f"/v1/dead-letters?job_id={job_id}")
        _ask(story, "GET", f"/v1/jobs/{job_id}/explain?at={story.instant(0)}")
    for row in story.rows[:2]:
        run = f"{row.key[0].rpartition('#')[2]}.{row.run}".replace("#", "-")
        for rest in _OF_A_RUN:
            _ask(story, "GET", f"/v1/runs/{run}{rest}")
    _administer(story)


def ask_for_everything_once(story: Story) -> None:
    """Requests that no flow makes, whatever there is to find."""
    window = {"start": story.instant(3600), "end": story.instant(7200)}
    _ask(story, "PUT", "/v1/calendars/c", {"windows": [window], "timezone": "UTC"})
    for path in ("/v1/calendars/c", f"/v1/calendars/c/check?at={story.instant(0)}"):
        _ask(story, "GET", path)
    _ask(story, "DELETE", "/v1/calendars/c")
    rule = {"when": {"dead_letter": True}, "channels": [{"url": "https://93.184.216.34/runs"}]}
    _ask(story, "PUT", "/v1/notification-rules/r", rule)
    for path in ("", "/r", "/r/messages"):
        _ask(story, "GET", f"/v1/notification-rules{path}")
    _ask(story, "DELETE", "/v1/notification-rules/r")
    _ask(story, "GET", "/v1/pools/p", function="workers")
    claim = {"worker": "w", "max": 1}
    _ask(story, "POST", "/v1/pools/p/claim", claim, function="workers")
    # A pool's waiting runs are read if a worker asked it.
    _ask(story, "GET", "/v1/pools")


def _administer(story: Story) -> None:
    for path in (
        "/v1/stage/cost",
        f"/v1/tenants/{story.tenant}/cost",
        "/v1/tenants",
        f"/v1/tenants/{story.tenant}",
        f"/v1/tenants/{story.tenant}/audit",
    ):
        _ask(story, "GET", path, scope=ADMIN_SCOPES)


def _ask(
    story: Story,
    method: str,
    path: str,
    body: object = None,
    *,
    function: str = "api",
    scope: str = SCOPES,
) -> None:
    """One request; only that the function has an answer matters."""
    text = None if body is None else json.dumps(body)
    headers = {"Content-Type": "application/json"}
    claims = {"client_id": story.tenant, "scope": scope}
    event = gateway_event(method, path, body=text, headers=headers, claims=claims)
    answered = story.cloud.invoke(function, event)
    assert answered["statusCode"] < 500, (method, path, answered)


def _ids(items: object, kind: str) -> list[str]:
    return [
        item["pk"]["S"].partition("#")[2]
        for item in items  # type: ignore[attr-defined]
        if item["sk"]["S"] == kind and "#" in item["pk"]["S"]
    ]


def _nothing(_: object) -> None:
    """No caller waits for the auditor."""
