"""Pages that only others link to, full of hostile texts: quiet, accessible, and text is text."""

import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from playwright.sync_api import expect

from infra.local.console.people import DEMO
from infra.local.webhook_target import Recorder
from tests.e2e.console.browser import Visit
from tests.e2e.console.desk import Desk
from tests.e2e.console.test_pages import CANARY, HOSTILE
from tests.support.deployed.deployed_dags import hook, started
from tests.support.deployed.stack import Stack, wait_until

pytestmark = pytest.mark.deep

HOURLY = {"kind": "rate", "every_seconds": 3600}


def worked(stack: Stack) -> str:
    """A run with hostile texts in its payload, log, error and result; its id."""
    action = {"type": "worker", "pool": "songs", "handler": "sing"}
    retry = {"max_attempts": 2, "initial_delay_seconds": 1}
    stack.create_job(
        **{**HOSTILE, "action": action, "schedule": {"kind": "immediate"}, "retry": retry}
    )
    failed = claimed(stack)
    said = {"lease_token": failed["lease_token"]}
    path = f"/v1/runs/{failed['run_id']}"
    line = {"at": datetime.now(UTC).isoformat(), "level": "info", "text": CANARY}
    logged = stack.api.post(f"{path}/logs", json={**said, "sequence": 1, "lines": [line]})
    error = {"code": "sang", "type": CANARY[:60], "message": CANARY}
    broke = stack.api.post(f"{path}/fail", json={**said, "error": error, "retryable": True})
    again = claimed(stack)
    done = stack.api.post(
        f"{path}/complete", json={"lease_token": again["lease_token"], "result": {"song": CANARY}}
    )
    assert [each.status_code for each in (logged, broke, done)] == [200, 200, 200], (
        logged.text,
        broke.text,
        done.text,
    )
    return str(failed["run_id"])


def claimed(stack: Stack) -> dict[str, Any]:
    """The next run of the pool."""

    def look() -> dict[str, Any] | None:
        answer = stack.api.post("/v1/pools/songs/claim", json={"worker": CANARY[:60]})
        runs = answer.raise_for_status().json()["runs"]
        return runs[0] if runs else None

    return wait_until(look, seconds=60, what=lambda: None)


def told_and_started(stack: Stack, job: str) -> None:
    """A notification rule and an event trigger with hostile texts; both are named songs."""
    told = {"when": {"failures_in_a_row": 3}, "channels": [{"url": "https://alerts.example.com"}]}
    rule = {**told, "description": CANARY, "jobs": {"name": CANARY, "tags": {"team": CANARY}}}
    stack.api.put("/v1/notification-rules/songs", json=rule).raise_for_status()
    trigger = {
        "description": CANARY,
        "pattern": {"data": {"text": [CANARY]}},
        "starts": {"type": "job", "job_id": job, "payload": {"text": CANARY}},
        "tags": {"team": CANARY},
    }
    stack.api.put("/v1/event-triggers/songs", json=trigger).raise_for_status()


def held_and_given_up(stack: Stack) -> None:
    """A freeze, an API key, a paused job and a dead letter with hostile texts."""
    ends = (datetime.now(UTC) + timedelta(hours=1)).isoformat()
    tag = {"kind": "tag", "key": "no", "value": CANARY}
    freeze = {"scope": tag, "ends_at": ends, "reason": CANARY}
    stack.api.post("/v1/freezes", json=freeze).raise_for_status()
    stack.api.post("/v1/keys", json={"name": CANARY[:60]}).raise_for_status()
    paused = stack.api.post("/v1/jobs", json=HOSTILE).raise_for_status().json()["job_id"]
    stack.api.post(f"/v1/jobs/{paused}/pause", json={"reason": CANARY}).raise_for_status()
    action = {"type": "worker", "pool": "songs", "handler": "sing"}
    once = {"schedule": {"kind": "immediate"}, "retry": {"max_attempts": 1}}
    stack.create_job(**{**HOSTILE, **once, "action": action})
    run = claimed(stack)
    said = {"lease_token": run["lease_token"], "retryable": True}
    error = {"code": "sang", "type": CANARY[:60], "message": CANARY}
    path = f"/v1/runs/{run['run_id']}/fail"
    stack.api.post(path, json={**said, "error": error}).raise_for_status()


def asked_for(stack: Stack, recorder: Recorder) -> str:
    """A run of a DAG with hostile texts, which waits for an approval; its id."""
    gate = {"key": "gate", "name": CANARY, "wait": {"kind": "approval", "seconds": 3600}}
    song = hook(recorder, "song", input={"text": CANARY})
    dag = {
        "name": CANARY,
        "description": CANARY,
        "tags": {"team": CANARY},
        "tasks": [gate, song],
        "edges": [{"source": "gate", "target": "song"}],
    }
    return started(stack, dag)


@pytest.fixture(scope="module")
def linked(stack: Stack, recorder: Recorder) -> dict[str, str]:
    """Each page that is only linked to, by its name."""
    job = stack.api.post("/v1/jobs", json=HOSTILE).json()["job_id"]
    run = worked(stack)
    dag_run = asked_for(stack, recorder)
    dag_id = stack.api.get(f"/v1/dag-runs/{dag_run}").json()["dag_id"]
    stack.api.put("/v1/calendars/songs", json={"weekdays": ["sun"]}).raise_for_status()
    told_and_started(stack, job)
    held_and_given_up(stack)
    selection = {"kind": "pause", "filter": {"name": CANARY, "tags": {"no": CANARY}}}
    selection["reason"] = CANARY
    operation = stack.api.post("/v1/operations", json=selection).json()["operation_id"]
    return {
        "job": f"/jobs/{job}",
        "edit": f"/jobs/{job}/edit",
        "new": "/jobs/new",
        "run": f"/runs/{run}",
        "dag": f"/dags/{dag_id}",
        "dag-run": f"/dag-runs/{dag_run}",
        "task": f"/dag-runs/{dag_run}?task=gate",
        "pool": "/pools/songs",
        "calendar": "/calendars/songs",
        "operation": f"/operations/{operation}",
        "tenant": "/tenants/second",
        "tenant-keys": "/keys?tenant=second",
        "stage-costs": "/costs?of=stage",
        "all-runs-filtered": "/runs/all?since=all&state=succeeded&tag=team%3Aday",
        "rule": "/rules/songs",
        "rule-edit": "/rules/songs/edit",
        "event-trigger": "/event-triggers/songs",
        "event-trigger-edit": "/event-triggers/songs/edit",
        "event-sent": "/event-triggers/+send?type=songs&key=one",
    }


def test_each_linked_page_opens_quietly_and_is_accessible(
    visit: Visit, linked: dict[str, str]
) -> None:
    """No complaint of the browser, nothing serious for axe, light or dark; each has its command."""
    visit.sign_in(DEMO)
    desk = Desk(visit)
    serious: dict[str, list[str]] = {}
    silent: list[str] = []
    for name, path in linked.items():
        desk.go(path)
        silent += [] if visit.says_its_command() else [name]
        for tab in desk.tabs():
            for scheme in visit.schemes():
                serious[f"{name} {tab} {scheme}"] = visit.serious()

    assert {name: found for name, found in serious.items() if found} == {}
    assert silent == []
    assert desk.complaints() == []
    assert visit.page.evaluate("window.canary") is None


def test_texts_of_a_run_are_shown_as_text(visit: Visit, linked: dict[str, str]) -> None:
    """Payload, log, error and result, each as it was written."""
    visit.sign_in(DEMO)
    desk = Desk(visit)
    desk.go(linked["run"])
    main = visit.page.locator("main")
    # Payload and result as JSON has them; the log tells of the error as well.
    shown = {"Log": CANARY, "Result": json.dumps(CANARY), "Payload": json.dumps(CANARY)}
    for tab, text in shown.items():
        visit.page.get_by_role("tab", name=tab, exact=True).click()
        expect(main).to_contain_text(text)

    assert visit.page.evaluate("window.canary") is None


#: Listings that show texts of tenants, each of a field of its own.
_SHOWN = (
    *("/jobs", "/jobs?status=paused", "/runs", "/runs/all?since=all", "/dags", "/decisions"),
    *("/calendars", "/rules", "/operations", "/keys", "/audit"),
)


@pytest.mark.usefixtures("linked")
def test_texts_of_listings_are_shown_as_text(visit: Visit) -> None:
    """Names, reasons, tags, errors and changes; no script of them runs, on any page."""
    visit.sign_in(DEMO)
    desk = Desk(visit)
    silent = []
    for path in _SHOWN:
        desk.go(path)
        if CANARY[:60] not in visit.page.locator("main").inner_text():
            silent.append(path)

    assert silent == []
    assert visit.page.evaluate("window.canary") is None
    assert desk.complaints() == []
