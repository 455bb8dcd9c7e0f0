"""Rules whose conditions take minutes, or a day: records are shifted into the past instead.

A job that exists for two hours, and a run that has waited for two minutes, are those of now with
other instants in their items. All else is the deployed stack's.
"""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import httpx
import pytest

from infra.local.webhook_target import Recorder
from tests.support.deployed.stack import Stack, wait_until
from tests.support.deployed.timing.backdating import shift
from timegate.adapters.dynamo.tables.keys import attempt_key, job_key, rule_key, watch_key
from timegate.domain.rules.rule import rule_id_of
from timegate.domain.values.identity import AttemptId, JobId, RunId
from timegate.domain.values.tenant import TenantId

pytestmark = pytest.mark.deep

RULES = "/v1/notification-rules"
#: Ticks of the stack come each minute, and may hold the shard.
PATIENCE = 150.0
POOL = "e2e-late"


@pytest.fixture
def tenant(stack: Stack) -> Iterator[httpx.Client]:
    """The second tenant: in the end it has no rules, no active jobs, and the stage's quotas."""
    api = stack.other_api
    yield api
    may(stack, runs_per_day=None)
    for rule in api.get(RULES).json()["items"]:
        api.delete(f"{RULES}/{rule['name']}")
    for job in api.get("/v1/jobs", params={"status": "active"}).json()["items"]:
        api.delete(f"/v1/jobs/{job['job_id']}")


def may(stack: Stack, **quotas: int | None) -> None:
    """Set quotas of the second tenant."""
    path = f"/v1/tenants/{stack.tenant('second')}"
    stack.admin.patch(path, json={"quotas": quotas}).raise_for_status()


def put_rule(api: httpx.Client, name: str, url: str, **when: object) -> None:
    """Store a rule about the tenant's jobs of this name."""
    body = {"jobs": {"name": name}, "when": when, "channels": [{"url": url}]}
    api.put(f"{RULES}/{name}", json=body).raise_for_status()


def create(api: httpx.Client, name: str, **fields: object) -> str:
    """Create a job; its id."""
    answer = api.post("/v1/jobs", json={"name": name, **fields})
    assert answer.is_success, answer.text
    return str(answer.json()["job_id"])


def told(stack: Stack, recorder: Recorder, path: str) -> dict[str, Any]:
    """Have the sweeper tick until the rule has told; its only event."""

    def look() -> bool | None:
        stack.invoke("SweeperFunctionName", {"shards": [0]})
        return bool(recorder.requests(path)) or None

    wait_until(look, seconds=PATIENCE, pause=1)
    (message,) = recorder.requests(path)
    (event,) = message.body["events"]
    found: dict[str, Any] = event
    return found


def test_a_job_that_did_not_succeed_for_an_hour_is_told_of(
    stack: Stack, recorder: Recorder, tenant: httpx.Client
) -> None:
    """It exists for two, and the last round over jobs was half an hour ago."""
    name = "rules-absent"
    action = {"type": "webhook", "url": recorder.url("rules-silent")}
    yearly = {"kind": "cron", "cron": "0 7 1 1 *"}
    job_id = create(tenant, name, schedule=yearly, action=action)
    put_rule(tenant, name, recorder.url(name), absent={"for_seconds": 3600})
    own = TenantId(stack.tenant("second"))
    shift(stack, "JobsTableName", job_key(own, JobId(job_id)), created_at=timedelta(hours=2))
    shift(stack, "JobsTableName", watch_key(own), walked_at=timedelta(minutes=30))
    event = told(stack, recorder, name)

    assert (event["type"], event["job"]["job_id"]) == ("absent", job_id)
    assert event["run"] is None
    assert event["text"] == f"{name}: no run has succeeded for 1 hour."


def test_a_run_that_a_days_quota_refuses_is_told_of(
    stack: Stack, recorder: Recorder, tenant: httpx.Client
) -> None:
    """The tenant has begun as many as it may, which is none."""
    name = "rules-quota"
    put_rule(tenant, name, recorder.url(name), quota_refused=True)
    may(stack, runs_per_day=0)
    action = {"type": "webhook", "url": recorder.url("rules-refused")}
    job_id = create(tenant, name, schedule={"kind": "delay", "delay_seconds": 12}, action=action)
    event = told(stack, recorder, name)

    assert (event["type"], event["job"]["job_id"]) == ("quota_refused", job_id)
    assert event["run"]["state"] == "skipped"
    assert recorder.requests("rules-refused") == []


def test_a_run_that_begins_two_minutes_late_is_told_of(
    stack: Stack, recorder: Recorder, tenant: httpx.Client
) -> None:
    """No worker served its pool until then; its claim marks it. Its rule is older than it."""
    name, own = "rules-late", TenantId(stack.tenant("second"))
    put_rule(tenant, name, recorder.url(name), late_after_seconds=60)
    rule = rule_key(own, rule_id_of(own, name))
    shift(stack, "JobsTableName", rule, created_at=timedelta(minutes=10))
    action = {"type": "worker", "pool": POOL, "handler": "x"}
    job_id = create(tenant, name, schedule={"kind": "immediate"}, action=action)
    (run,) = tenant.get(f"/v1/jobs/{job_id}/runs").json()["items"]
    first = AttemptId(run=RunId.parse(run["run_id"]), number=1)
    shift(stack, "RunsTableName", attempt_key(own, first), due_at=timedelta(seconds=120))
    claim = tenant.post(f"/v1/pools/{POOL}/claim", json={"worker": "e2e", "max": 1})

    assert [each["run_id"] for each in claim.json()["runs"]] == [run["run_id"]], claim.text
    event = told(stack, recorder, name)
    assert (event["type"], event["run"]["run_id"]) == ("late", run["run_id"])
