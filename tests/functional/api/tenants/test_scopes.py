"""Scopes: a token does what it allows, and nothing else, whatever the gateway let through."""

import json
import re
from typing import Any

import pytest

from api.http.route import Route
from api.http.table import ROUTES
from tests.support.api import Answer, Api, gateway_event

ALL = ("read", "write", "operate", "send", "worker", "admin")
#: Pausing, repairing and looking are not the same trust.
OPERATE = {
    *(
        "pauseJob",
        "resumeJob",
        "triggerJob",
        "triggerMany",
        "createDagTaskLink",
        "cancelRun",
        "cancelRuns",
        "rescheduleRun",
        "rescheduleRuns",
        "redriveRun",
        "backfillJob",
    ),
    *("startOperation", "cancelOperation", "createFreeze", "liftFreeze"),
    *(
        "redriveDeadLetter",
        "redriveDeadLetters",
        "redriveRuns",
        "discardDeadLetter",
        "discardDeadLetters",
    ),
}
#: All but those that are asked by the token of a lease.
SCOPED = [route for route in ROUTES if not route.asks_no_token]
#: Questions that need a body.
ASKED_BY_POST = {
    *("previewSchedule", "previewJob", "simulate"),
    *("validateNewJob", "validateNewDag", "validateDag", "tryEventTrigger"),
    *("validateCalendar", "validateRule", "validateEventTrigger"),
}


def ask(api: Api, route: Route, claims: dict[str, Any]) -> Answer:
    """A request to the route, about things that do not exist."""
    path = re.sub(r"<\w+>", "none", route.path)
    return api.deliver(gateway_event(route.method, path, claims={"client_id": "acme", **claims}))


@pytest.mark.parametrize("route", SCOPED, ids=lambda route: route.operation)
def test_every_scope_but_its_own_is_refused(api: Api, route: Route) -> None:
    """Before anything is read; the answer says which it takes."""
    others = " ".join(f"timegate/{each}" for each in ALL if each != route.scope)
    answer = ask(api, route, {"scope": others})

    assert (answer.status, answer.code) == (403, "insufficient_scope")
    assert f"timegate/{route.scope}." in answer.body["detail"]
    assert answer.headers["www-authenticate"] == (
        f'Bearer error="insufficient_scope", scope="timegate/{route.scope}"'
    )


@pytest.mark.parametrize("route", SCOPED, ids=lambda route: route.operation)
def test_its_own_scope_suffices(api: Api, route: Route) -> None:
    """The answer is then that of the operation."""
    answer = ask(api, route, {"scope": f"timegate/{route.scope}"})

    assert answer.body.get("code") != "insufficient_scope"


def test_only_what_calls_back_comes_without_a_scope() -> None:
    """Its lease's token says of which tenant it is, and allows one run and nothing else.

    Senders of web hooks sign what they send, and a link is signed for the person who opens it.
    """
    signed = {"/v1/hooks/<hook_id>", "/v1/approval"}
    assert {each.path for each in ROUTES if each.asks_no_token} - signed == {
        f"/v1/callbacks/<run_id>/{verb}"
        for verb in ("heartbeat", "complete", "fail", "release", "continue", "logs")
    }


def test_what_intervenes_takes_a_scope_of_its_own() -> None:
    """Defining jobs and running them are separate rights; a question changes nothing."""
    by_scope = {scope: {each.operation for each in SCOPED if each.scope == scope} for scope in ALL}
    gets = {each.operation for each in SCOPED if each.method == "GET" and not each.of_stage}

    assert by_scope["operate"] >= OPERATE
    assert by_scope["read"] == gets | ASKED_BY_POST


def test_a_sender_sends_events_and_nothing_else() -> None:
    """Its scope lets it neither read what there is, nor trigger a job by itself."""
    assert {each.operation for each in SCOPED if each.scope == "send"} == {"sendEvents"}


@pytest.mark.parametrize(
    ("kind", "scopes", "status"),
    [
        ("pause", "timegate/operate", 202),
        ("resume", "timegate/operate", 202),
        ("cancel", "timegate/operate", 403),
        ("cancel", "timegate/write", 403),
        ("cancel", "timegate/operate timegate/write", 202),
    ],
)
def test_many_jobs_are_cancelled_with_the_scope_that_cancels_one(
    api: Api, kind: str, scopes: str, status: int
) -> None:
    """A body gives no right that its caller lacks: a job that is cancelled is over for good."""
    body = json.dumps({"kind": kind, "filter": {"all": True}})
    claims = {"client_id": "acme", "scope": scopes}
    answer = api.deliver(gateway_event("POST", "/v1/operations", body=body, claims=claims))

    assert answer.status == status


@pytest.mark.parametrize(
    ("claims", "status"),
    [
        pytest.param({}, 403, id="none"),
        pytest.param({"scope": ""}, 403, id="empty"),
        pytest.param({"scope": "read"}, 403, id="without the prefix"),
        pytest.param({"scope": "other/read"}, 403, id="of another API"),
        pytest.param({"scope": "timegate/reading"}, 403, id="longer"),
        pytest.param({"scope": "timegate/READ"}, 403, id="in another case"),
        pytest.param({"scope": "openid timegate/read"}, 200, id="among others"),
        pytest.param({"scp": "timegate/read"}, 200, id="as scp"),
        pytest.param({"scp": "[openid timegate/read]"}, 200, id="a list, as the gateway writes it"),
        pytest.param({"scopes": "timegate/read"}, 403, id="in another claim"),
    ],
)
def test_scopes_are_whole_words_of_two_claims(
    api: Api, claims: dict[str, Any], status: int
) -> None:
    """``scope`` as RFC 8693 has it, and ``scp`` as some issuers do."""
    event = gateway_event("GET", "/v1/jobs", claims={"client_id": "acme", **claims})

    assert api.deliver(event).status == status
