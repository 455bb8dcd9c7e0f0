"""Triggers in quick succession, and many in one request, on the deployed stack."""

from collections.abc import Iterator

import pytest

from infra.local.webhook_target import Recorder
from tests.e2e.runs.test_overlap import wait_for_state
from tests.support.command_line import CommandLine
from tests.support.deployed.stack import Stack
from timegate.client import TimegateClient, load_profile
from timegate.client.schemas import TriggerRequest

pytestmark = pytest.mark.wide

#: More than one batch of messages; contract tests store more than a transaction takes.
MANY = 12


@pytest.fixture
def client(timegate: CommandLine) -> Iterator[TimegateClient]:
    """The SDK, as the first tenant."""
    with TimegateClient(load_profile(timegate.environ)) as client:
        yield client


def manual_job(stack: Stack, recorder: Recorder, name: str, **fields: object) -> str:
    """A job that runs when it is asked to."""
    action = {"type": "webhook", "url": recorder.url(name)}
    job = stack.create_job(name=name, schedule={"kind": "manual"}, action=action, **fields)
    return str(job["job_id"])


def test_the_last_trigger_of_a_key_runs_for_the_others(
    stack: Stack, recorder: Recorder, client: TimegateClient
) -> None:
    """Triggers of another key run by themselves; the SDK waits for the run that stands in."""
    rule = {"span_seconds": 6, "key_from": "/customer"}
    job_id = manual_job(stack, recorder, "collapsing", collapse=rule)
    pages = [{"customer": customer, "page": page} for page in range(3) for customer in (7, 8)]
    runs = [client.trigger_job(job_id, {"payload": page})["run_id"] for page in pages]
    stood_for = client.wait_for_run(runs[0], timeout_seconds=60)
    last = [wait_for_state(stack, run, "succeeded") for run in runs[-2:]]
    first = stack.api.get(f"/v1/runs/{runs[0]}").json()

    assert stood_for["run_id"] == runs[-2]
    assert (first["state"], first["reason"]) == ("skipped", "collapsed")
    assert (first["collapse"]["into"], first["collapse"]["triggers"]) == (runs[-2], 3)
    assert [run["collapse"]["into"] for run in last] == [None, None]
    called = [request.body for request in recorder.requests("collapsing")]
    assert sorted(called, key=str) == sorted(pages[-2:], key=str)


def test_many_triggers_are_as_many_runs(
    stack: Stack, recorder: Recorder, client: TimegateClient
) -> None:
    """Each with data of its own; the request repeated under its key makes none."""
    job_id = manual_job(stack, recorder, "in-a-batch", payload={"size": 9})
    pages: list[TriggerRequest] = [{"payload_patch": {"page": n}} for n in range(MANY)]
    first, second = (client.trigger_many(job_id, pages, idempotency_key="one") for _ in range(2))
    arrived = recorder.wait_for("in-a-batch", MANY, seconds=60)

    assert (first["triggered"], second["triggered"], second["replayed"]) == (MANY, 0, MANY)
    assert sorted(request.body["page"] for request in arrived) == list(range(MANY))
    assert {request.body["size"] for request in arrived} == {9}
    assert {request.run_id for request in arrived} == {each["run_id"] for each in first["items"]}
