"""Inbound web hooks: signed messages start runs, and nothing else does."""

import json
from dataclasses import replace
from typing import Any

import pytest

from tests.support.api import Answer, Api, gateway_event
from tests.support.event_triggers.triggering import (
    HOOK_ID,
    KEY,
    hook_trigger,
    secret_of,
    settle,
    signed,
    signed_by_github,
)
from tests.support.factories import NOW, TENANT, after, job_factory
from tests.support.world import World
from timegate.domain.event_triggers.event_trigger import (
    EventTriggerStatus,
    Hook,
    HookScheme,
    StartsDagRun,
    StartsJob,
)
from timegate.domain.limits.quotas import Quotas
from timegate.domain.values.identity import DagId

BODY = json.dumps({"type": "deployment.finished", "data": {"service": "web"}})
OTHER_KEY = "whsec_NfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwAAAAAAAAAAA="


@pytest.fixture
def job(api: Api, world: World) -> str:
    """The job of a web hook that takes everything."""
    job_id: str = api.create()["job_id"]
    settle(world, hook_trigger(starts=StartsJob(job_id=job_id)))
    return job_id


def knock(api: Api, body: str = BODY, *, hook_id: str = HOOK_ID, **headers: str) -> Answer:
    """Send a message without a token."""
    sent = {name.replace("_", "-"): text for name, text in headers.items()}
    sent.setdefault("content-type", "application/json")
    return api.deliver(gateway_event("POST", f"/v1/hooks/{hook_id}", body=body, headers=sent))


def triggered(api: Api, job_id: str) -> list[dict[str, Any]]:
    """Runs that were triggered."""
    runs = api.send("GET", f"/v1/jobs/{job_id}/runs").body["items"]
    return [each for each in runs if each["origin"] == "trigger"]


def test_a_signed_message_starts_a_run(api: Api, world: World, job: str) -> None:
    """With the message as a CloudEvent for its payload; sent again, it meets that run."""
    first = knock(api, **signed(BODY, message_id="msg_1"))
    world.clock.set(after(2))
    again = knock(api, **signed(BODY, message_id="msg_1", at=after(2)))
    other = knock(api, **signed(BODY, message_id="msg_2", at=after(2)))
    run = api.send("GET", f"/v1/runs/{first.body['run_id']}").body

    assert (first.status, first.body["matched"], first.body["replayed"]) == (200, True, False)
    assert again.body == {**first.body, "replayed": True}
    assert other.body["run_id"] != first.body["run_id"]
    assert len(triggered(api, job)) == 2
    assert run["payload"] == {
        "specversion": "1.0",
        "id": "msg_1",
        "source": "/hooks/deployments",
        "type": "webhook",
        "time": "2026-11-21T07:00:00.000Z",
        "datacontenttype": "application/json",
        "data": json.loads(BODY),
    }


def test_the_start_is_on_record_as_the_hooks(api: Api, job: str) -> None:
    """No token stands for it."""
    run_id = knock(api, **signed(BODY)).body["run_id"]
    (entry,) = api.send("GET", f"/v1/audit?resource=run/{run_id}").body["items"]

    assert (entry["actor"]["subject"], entry["operation"]) == ("hook/deployments", "receiveHook")


def test_whatever_is_wrong_is_refused_alike(api: Api, world: World, job: str) -> None:
    """No caller learns which addresses there are, nor how near a signature was."""
    good = signed(BODY)
    old = signed(BODY, at=after(-301))
    refused = [
        knock(api, **signed(BODY, key=OTHER_KEY)),
        knock(api, f"{BODY} ", **good),
        knock(api, hook_id="a" * 26, **good),
        knock(api, hook_id="unknown", **good),
        knock(api, **old),
        knock(api),
        knock(api, **signed_by_github(BODY, key=KEY)),
    ]
    heard = {(each.status, json.dumps(each.body, sort_keys=True)) for each in refused}

    assert len(heard) == 1
    assert (refused[0].status, refused[0].code) == (401, "hook_refused")
    assert refused[0].headers["www-authenticate"] == "Webhook-Signature"
    assert triggered(api, job) == []


def test_what_has_no_proof_costs_no_read(api: Api, world: World, job: str) -> None:
    """Neither of the table nor of a secret."""
    world.hook_secrets.asked.clear()
    knock(api)
    knock(api, **signed(BODY, at=after(-301)))
    knock(api, hook_id="a" * 26, **signed(BODY))

    assert world.hook_secrets.asked == []


def test_a_forgotten_address_is_refused(api: Api, world: World, job: str) -> None:
    """Also where a new trigger has the name."""
    world.event_triggers.delete(TENANT, "deployments", expected_version=None, now=NOW)
    gone = knock(api, **signed(BODY))
    other = hook_trigger(starts=StartsJob(job_id=job), hook_id="b" * 26)
    settle(world, other)

    assert gone.status == knock(api, **signed(BODY)).status == 401


def test_a_secret_that_cannot_be_read_is_told_of(api: Api, world: World, job: str) -> None:
    """The sender sends the message again later: it is not lost."""
    world.hook_secrets.texts.clear()
    missing = knock(api, **signed(BODY))
    world.hook_secrets.texts[TENANT, secret_of(TENANT)] = "plain"
    unusable = knock(api, **signed(BODY))

    assert (missing.status, missing.code) == (503, "hook_unavailable")
    assert missing.headers["retry-after"] == "60"
    assert unusable.body == missing.body
    told = world.telemetry.named("hook_unavailable")
    assert [each.fields["event_trigger"] for each in told] == ["deployments"] * 2


def test_a_paused_trigger_and_a_pattern_let_messages_pass(api: Api, world: World) -> None:
    """The sender is told that nothing started."""
    job_id = api.create()["job_id"]
    pattern = '{"data":{"data":{"service":["api"]}}}'
    settle(world, hook_trigger(starts=StartsJob(job_id=job_id), pattern=pattern))
    other = knock(api, **signed(BODY))
    matching = knock(api, BODY.replace("web", "api"), **signed(BODY.replace("web", "api")))
    world.event_triggers.set_status(TENANT, "deployments", EventTriggerStatus.PAUSED, now=NOW)
    body = BODY.replace("web", "api") + " "
    paused = knock(api, body, **signed(body, message_id="msg_3"))

    assert [each.body["matched"] for each in (other, matching, paused)] == [False, True, False]
    assert [each.body["run_id"] is None for each in (other, matching, paused)] == [
        *(True, False, True),
    ]
    assert len(triggered(api, job_id)) == 1


def test_a_delivery_of_github_starts_a_run_once(api: Api, world: World) -> None:
    """Its event's name is the type; its delivery is the message."""
    job_id = api.create()["job_id"]
    hook = Hook(scheme=HookScheme.GITHUB, secret=secret_of(TENANT))
    starts = StartsJob(job_id=job_id, payload='{"ref":{"$ref":"event.data.ref"}}')
    settle(world, hook_trigger(hook=hook, starts=starts, pattern='{"type":["github.push"]}'))
    body = json.dumps({"ref": "refs/heads/main"})
    first = knock(api, body, **signed_by_github(body))
    again = knock(api, body, **signed_by_github(body))
    ping = knock(api, body, **signed_by_github(body, message_id="d2", event="ping"))
    standard = knock(api, body, **signed(body))

    assert (again.body["run_id"], again.body["replayed"]) == (first.body["run_id"], True)
    assert (ping.body["matched"], standard.status) == (False, 401)
    run = api.send("GET", f"/v1/runs/{first.body['run_id']}").body
    assert run["payload"] == {"ref": "refs/heads/main"}


@pytest.mark.parametrize(
    ("body", "content_type", "status", "code"),
    [
        pytest.param("no json", "application/json", 400, "malformed_json", id="no JSON"),
        pytest.param('{"a":1,"a":2}', "application/json", 400, "malformed_json", id="twice"),
        pytest.param("a=1", "application/x-www-form-urlencoded", 415, "unsupported_media_type"),
    ],
)
def test_a_signed_message_is_json(
    api: Api, job: str, body: str, content_type: str, status: int, code: str
) -> None:
    """Its sender is told, once it is known."""
    refused = knock(api, body, content_type=content_type, **signed(body))

    assert (refused.status, refused.code) == (status, code)
    assert knock(api, body, content_type=content_type).status == 401


def test_a_message_has_a_limit(api: Api, job: str) -> None:
    """Before anything of it is read."""
    largest = json.dumps("x" * (256 * 1024 - 2))
    kept = knock(api, largest, **signed(largest))
    refused = knock(api, f"{largest} ", **signed(f"{largest} "))

    # The event around it makes it too large for a payload, which is another refusal.
    assert (kept.status, refused.status, refused.code) == (400, 413, "body_too_large")


def test_credentials_are_kept_nowhere(api: Api, world: World, job: str) -> None:
    """They are refused in what a run would be given, and may stand in what it is not."""
    body = json.dumps({"token": "ghp_" + "a1B2" * 9, "id": 7})
    refused = knock(api, body, **signed(body))
    part = StartsJob(job_id=job, payload='{"id":{"$ref":"event.data.id"}}')
    world.event_triggers.put(TENANT, hook_trigger(starts=part), expected_version=None)
    kept = knock(api, body, **signed(body))

    assert (refused.status, refused.code) == (422, "plaintext_secret")
    assert kept.body["matched"]


def test_a_message_counts_as_a_request_once_it_is_proven(api: Api, world: World) -> None:
    """A caller that knows the address alone uses up no tenant's rate."""
    world.jobs.create(job_factory())
    settle(world, hook_trigger())
    before = world.tenants.get(TENANT)
    quotas = Quotas.of({"requests_per_second": 1, "burst": 4})
    assert world.tenants.put(TENANT, before, replace(before, quotas=quotas))
    for _ in range(9):
        assert knock(api).status == 401
    kept = [knock(api, **signed(BODY, message_id=f"m{n}")).status for n in range(3)]

    assert kept == [200, 200, 429]


def test_a_message_starts_a_dag_run_once(api: Api, world: World) -> None:
    """Its parameters are the event, or a part of it that is an object."""
    task = {"key": "a", "job": {"action": {"type": "worker", "pool": "p", "handler": "h"}}}
    dag_id = api.send("POST", "/v1/dags", {"name": "deploy", "tasks": [task]}).body["dag_id"]
    starts = StartsDagRun(dag_id=DagId(dag_id), parameters='{"$ref":"event.data.data"}')
    settle(world, hook_trigger(starts=starts))
    first = knock(api, **signed(BODY))
    world.clock.set(after(1))
    again = knock(api, **signed(BODY))
    run = api.send("GET", f"/v1/dag-runs/{first.body['dag_run_id']}").body
    text = json.dumps({"data": 7})
    refused = knock(api, text, **signed(text, message_id="m2"))

    assert (first.body["run_id"], first.body["replayed"]) == (None, False)
    assert again.body == {**first.body, "replayed": True}
    assert (run["trigger"], run["parameters"]) == ("event", {"service": "web"})
    assert refused.fields == [("starts.parameters", "wrong_type")]


def test_a_job_that_ended_is_told_of(api: Api, job: str) -> None:
    """The sender cannot help it, and its message starts nothing."""
    api.send("DELETE", f"/v1/jobs/{job}")
    refused = knock(api, **signed(BODY))

    assert (refused.status, refused.code) == (409, "job_cancelled")


def test_keys_in_messages_name_no_job(api: Api, job: str) -> None:
    """A message is its sender's own: it is given on as it came."""
    body = json.dumps({"tasks": [{"job_id": "key:theirs"}]})
    received = knock(api, body, **signed(body))
    run = api.send("GET", f"/v1/runs/{received.body['run_id']}").body

    assert run["payload"]["data"] == {"tasks": [{"job_id": "key:theirs"}]}
