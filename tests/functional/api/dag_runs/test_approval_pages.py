"""Pages of approval links, the forms that they send, and what no log has."""

import base64
import json
import re
from hashlib import sha256
from typing import Any

import pytest

from tests.functional.api.dag_runs.linked_approvals import (
    GATE,
    decide,
    define,
    headers_of,
    link_of,
    open_link,
    page_of,
    state_of,
)
from tests.functional.api.dag_runs.test_dag_runs import WORK, moved
from tests.support.api import Api
from tests.support.world import World


@pytest.fixture
def path(api: Api) -> str:
    """A DAG run whose first task waits for an approval."""
    path = define(api)
    moved(api, path.rpartition("/")[2])
    return path


def test_a_browser_is_shown_a_page_that_runs_nothing(api: Api, path: str) -> None:
    """A form with two buttons, and a policy that lets it load no script, frame or image."""
    link = link_of(api, path)
    answered = page_of(api, link)
    headers = headers_of(answered)
    thanks = page_of(api, link, {"note": "Why not?\r\nYes", "decision": "approve"})

    assert headers["content-type"] == "text/html; charset=utf-8"
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["cache-control"] == "no-store"
    assert "<script" not in answered["body"]
    assert 'value="approve"' in answered["body"]
    assert (thanks["statusCode"], headers_of(thanks)["content-type"]) == (
        *(200, "text/html; charset=utf-8"),
    )
    assert "Thank you. It is approved." in thanks["body"]
    assert state_of(api, path) == ("succeeded", "approved")
    assert open_link(api, link).body["decision"]["note"] == "Why not? Yes"


def test_the_style_of_the_page_is_the_one_that_its_policy_allows(api: Api, path: str) -> None:
    """By its digest: a browser would show the page without it otherwise."""
    answered = page_of(api, link_of(api, path))
    (style,) = re.findall(r"<style>(.*?)</style>", answered["body"], re.DOTALL)
    digest = base64.b64encode(sha256(style.encode()).digest()).decode()
    assert f"'sha256-{digest}'" in headers_of(answered)["content-security-policy"]


def test_hostile_names_are_shown_as_they_are(api: Api) -> None:
    """Mark-up in names of DAG, task, receiver and comment is text."""
    hostile = "<script>alert(1)</script>\"'&<img src=x>"
    path = define(api, name=hostile, task_name=hostile)
    moved(api, path.rpartition("/")[2])
    link = link_of(api, path, hostile)
    asked = page_of(api, link)["body"]
    told = page_of(api, link, {"decision": "reject", "note": hostile})["body"]

    for body in (asked, told):
        assert "<script" not in body
        assert "<img" not in body
        assert "&lt;script&gt;" in body


@pytest.mark.parametrize(
    ("wait", "status", "code"),
    [
        pytest.param({"link_secret": None}, 409, "links_not_allowed", id="without a secret"),
        pytest.param({"kind": "sleep"}, 409, "not_an_approval", id="a sleep"),
    ],
)
def test_links_are_made_for_tasks_that_allow_them(
    api: Api, wait: dict[str, Any], status: int, code: str
) -> None:
    """By default none does."""
    without = {"link_secret": None, "kind": wait.get("kind", "approval")}
    path = define(api, **without)
    moved(api, path.rpartition("/")[2])
    refused = api.send("POST", f"{path}/tasks/gate/approval-link")

    assert (refused.status, refused.code) == (status, code)


@pytest.mark.parametrize(
    ("fields", "status"),
    [
        pytest.param({}, 400, id="nothing"),
        pytest.param({"decision": "maybe"}, 400, id="neither"),
        pytest.param({"decision": "approve", "x": "1"}, 400, id="more"),
        pytest.param({"decision": "approve", "note": "a" * 501}, 400, id="a long comment"),
        pytest.param({"decision": "approve", "note": "ghp_" + "a1B2" * 9}, 422, id="a credential"),
    ],
)
def test_a_form_of_another_shape_is_refused(
    api: Api, path: str, fields: dict[str, str], status: int
) -> None:
    """The answer is a page with the reason."""
    refused = page_of(api, link_of(api, path), fields)

    assert refused["statusCode"] == status
    assert headers_of(refused)["content-type"] == "text/html; charset=utf-8"
    assert "<h1>" in refused["body"]
    assert state_of(api, path) == ("running", None)


def test_a_large_form_is_refused_before_it_is_read(api: Api, path: str) -> None:
    """A decision has few words."""
    refused = page_of(api, link_of(api, path), {"decision": "approve", "note": "a" * 16384})

    assert refused["statusCode"] == 413


def test_no_log_has_a_link(api: Api, world: World, path: str) -> None:
    """Neither of its making, nor of its use, nor of its refusals."""
    link = link_of(api, path)
    open_link(api, link)
    page_of(api, f"{link}A")
    decide(api, link, note="x" * 501)
    decide(api, link)
    token = link.partition("=")[2]
    logged = json.dumps([each.fields for each in world.telemetry.events], default=str)

    assert len(world.telemetry.events) >= 3
    assert token not in logged
    assert token.partition(".")[2] not in logged


@pytest.mark.parametrize(
    ("wait", "field", "code"),
    [
        pytest.param({"approvers": ["ann"]}, "tasks.0.wait.link_secret", "contradictory"),
        pytest.param(
            {"kind": "sleep"}, "tasks.0.wait.link_secret", "not_for_this_kind", id="a sleep"
        ),
        pytest.param(
            {"link_secret": {"ssm_parameter": "/other/key"}},
            "tasks.0.wait.link_secret",
            "secret_not_allowed",
            id="another's",
        ),
        pytest.param({"link_secret": {}}, "tasks.0.wait.link_secret", "required", id="none"),
    ],
)
def test_a_secret_of_links_is_the_tenants_own(
    api: Api, wait: dict[str, Any], field: str, code: str
) -> None:
    """It stands beside no approvers: a holder of a link is one."""
    body = {"name": "x", "tasks": [{"key": "a", "wait": {**GATE, **wait}}]}
    refused = api.send("POST", "/v1/dags", body)

    assert refused.status in {400, 422}
    assert (field, code) in refused.fields


@pytest.mark.parametrize("place", ["/v1/jobs", "/v1/dags"])
def test_only_a_dag_with_an_approval_tells_of_one(api: Api, place: str) -> None:
    """Neither a job nor another DAG ever would."""
    told = [{"url": "https://example.com/told", "on": ["needs_decision"]}]
    job = {"schedule": {"kind": "immediate"}, "action": WORK["action"]}
    dag = {"tasks": [{"key": "a", "job": WORK}]}
    own = job if place == "/v1/jobs" else dag
    refused = api.send("POST", place, {"name": "x", "notifications": told, **own})

    assert refused.status in {400, 422}
    assert ("notifications.0.on", "never_decided") in refused.fields
