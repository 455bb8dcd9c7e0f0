"""The pipelines of ``examples/dags`` on the deployed stack: under each policy, and repaired.

All are started together and waited for together. A worker of this process does what they ask for.
"""

import json
import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event, Thread
from typing import Any

import httpx
import pytest

from infra.local.webhook_target import Recorder
from tests.support.deployed.stack import Stack, wait_until

pytestmark = pytest.mark.deep

EXAMPLES = Path(__file__).resolve().parents[3] / "examples" / "dags"
POOL = "pipelines"
PATIENCE = 150.0
WIDTH = 200
POLICIES: dict[str, dict[str, Any]] = {
    "fail_fast": {"policy": "fail_fast"},
    "continue": {"policy": "continue"},
    "retry": {"policy": "retry", "max_retries": 1},
}
#: The failing task of each, and the tasks it then skips if everything else may run.
BROKEN = {
    "linear-etl": ("transform", {"load", "report"}),
    "diamond": ("load_fact", {"aggregate", "report"}),
    "branches": ("b", {"c", "d"}),
}
#: Each pipeline once, each policy once; ``TIMEGATE_PIPELINES=all``: each under each.
CHOSEN = [("linear-etl", "fail_fast"), ("diamond", "retry"), ("branches", "continue")]
#: And these run at once with nothing broken.
SOUND = ("linear-etl", "diamond", "fan-out")
EVERY = [(name, policy) for name in BROKEN for policy in POLICIES]
_ALL = os.environ.get("TIMEGATE_PIPELINES") == "all"
ANSWERS: dict[str, Any] = {
    "extract": {"file": "raw.csv", "rows": 12},
    "transform": {"file": "clean.csv", "dim": "dim.csv", "fact": "fact.csv"},
    "load": {"rows": 6},
    "list-shops": [{"id": number, "active": number != 3} for number in range(6)],
    "load-shop": {"rows": 2},
}


@dataclass
class Hand:
    """Claims whatever the pool offers, and does it, until it is told to stop."""

    api: httpx.Client
    #: Tasks that fail: DAG run, key, and the last round in which they do.
    failing: dict[tuple[str, str], int] = field(default_factory=dict)
    #: Work done: DAG run, task, and its input.
    done: list[tuple[str, str, Any]] = field(default_factory=list)
    #: Answers that no task expects.
    unwelcome: list[str] = field(default_factory=list)
    stopped: Event = field(default_factory=Event)

    def work(self) -> None:
        """Until it is stopped."""
        while not self.stopped.is_set():
            # A machine that is too busy to answer is asked again; what was claimed comes again.
            with suppress(httpx.TransportError):
                self._come()

    def _come(self) -> None:
        claimed = self.api.post(f"/v1/pools/{POOL}/claim", json={"worker": "hand", "max": 10})
        runs = claimed.json()["runs"] if claimed.status_code == 200 else []
        for run in runs:
            self._do(run)
        if not runs:
            self.stopped.wait(0.1)

    def _do(self, run: dict[str, Any]) -> None:
        dag_run_id, _, about = run["run_id"].partition(".")
        _, number, rest = about.split("-", 2)
        key = rest.rpartition("-")[0]
        self.done.append((dag_run_id, key, run["payload"]))
        path, token = f"/v1/runs/{run['run_id']}", {"lease_token": run["lease_token"]}
        if int(number) <= self.failing.get((dag_run_id, key), 0):
            error = {"code": "broken", "type": "Broken", "message": "It is broken."}
            said = {**token, "error": error, "retryable": False}
            answered = self.api.post(f"{path}/fail", json=said)
        else:
            result = ANSWERS.get(run["handler"], {"done": key})
            answered = self.api.post(f"{path}/complete", json={**token, "result": result})
        # One that was stopped meanwhile is told that it lost its lease.
        if answered.status_code not in {200, 409}:
            self.unwelcome.append(answered.text)


@pytest.fixture
def hand(stack: Stack) -> Iterator[Hand]:
    """No worker works yet."""
    hand = Hand(stack.api)
    yield hand
    hand.stopped.set()


def example(which: str, **fields: object) -> dict[str, Any]:
    """An example, for the pool of this file."""
    text = (EXAMPLES / f"{which}.json").read_text().replace('"pool": "etl"', f'"pool": "{POOL}"')
    read: dict[str, Any] = json.loads(text)
    return read | fields


def created(stack: Stack, definition: dict[str, Any]) -> str:
    """A new DAG; its id."""
    answered = stack.api.post("/v1/dags", json=definition)
    assert answered.status_code == 201, answered.text
    return str(answered.json()["dag_id"])


def started(stack: Stack, dag_id: str, **parameters: object) -> str:
    """A run of a DAG; its id."""
    answered = stack.api.post(f"/v1/dags/{dag_id}/runs", json={"parameters": parameters})
    assert answered.status_code == 202, answered.text
    return str(answered.json()["dag_run_id"])


def run_of(stack: Stack, dag_run_id: str) -> dict[str, Any]:
    """A DAG run with its tasks; a machine that is too busy to answer is asked again."""

    def look() -> dict[str, Any] | None:
        answered = stack.api.get(f"/v1/dag-runs/{dag_run_id}")
        assert answered.status_code in {200, 502, 503}, answered.text
        return answered.json() if answered.status_code == 200 else None

    return wait_until(look, seconds=PATIENCE, pause=0.5)


def states(run: dict[str, Any]) -> dict[str, str]:
    """The states of its tasks."""
    return {task["key"]: task["state"] for task in run["tasks"]}


def come_to(stack: Stack, dag_run_ids: Sequence[str], status: str) -> list[dict[str, Any]]:
    """These DAG runs, once all have this status; they are read as long as they have not."""
    done: dict[str, dict[str, Any]] = {}

    def look() -> list[dict[str, Any]] | None:
        for dag_run_id in dag_run_ids:
            if dag_run_id not in done:
                run = run_of(stack, dag_run_id)
                if run["status"] != status:
                    return None
                done[dag_run_id] = run
        return [done[each] for each in dag_run_ids]

    def missing() -> object:
        read = (run_of(stack, each) for each in dag_run_ids if each not in done)
        return [(run["dag_run_id"], run["status"], states(run)) for run in read]

    return wait_until(look, seconds=PATIENCE, pause=0.3, what=missing)


def broken(stack: Stack, hand: Hand) -> dict[str, tuple[str, str]]:
    """Runs in which a task fails, by id: which example, under which policy.

    Under ``retry`` it fails in the second round as well.
    """
    begun = {}
    for name, policy in EVERY if _ALL else CHOSEN:
        fields = POLICIES[policy]
        dag_id = created(stack, example(name, name=f"{name} {policy}", failure_policy=fields))
        dag_run_id = started(stack, dag_id)
        hand.failing[dag_run_id, BROKEN[name][0]] = 2 if policy == "retry" else 1
        begun[dag_run_id] = (name, policy)
    return begun


def redefined(stack: Stack, recorder: Recorder) -> tuple[str, str]:
    """A run whose DAG, and a job that it names, are changed as soon as it is open; both ids."""
    action = {"type": "webhook", "url": recorder.url("named")}
    job = stack.create_job(
        name="named", schedule={"kind": "cron", "cron": "0 0 1 1 *"}, action=action, payload=1
    )
    first = {
        "key": "a",
        "job": {"action": {"type": "worker", "pool": POOL, "handler": "extract"}},
    }
    second = {"key": "b", "job_id": job["job_id"]}
    edges = [{"source": "a", "target": "b"}]
    dag_id = created(stack, {"name": "redefined", "tasks": [first, second], "edges": edges})
    dag_run_id = started(stack, dag_id)
    come_to(stack, [dag_run_id], "running")
    changes = [
        stack.api.patch(f"/v1/dags/{dag_id}", json={"tasks": [first], "edges": []}),
        stack.api.patch(f"/v1/jobs/{job['job_id']}", json={"payload": 2}),
    ]
    assert [each.status_code for each in changes] == [200, 200], [each.text for each in changes]
    return dag_run_id, dag_id


def wide(recorder: Recorder) -> dict[str, Any]:
    """A member for each of a list, and one task after all of them."""

    def hook(name: str) -> dict[str, Any]:
        return {"action": {"type": "webhook", "url": recorder.url(name)}}

    parts = {"key": "part", "job": hook("wide-part"), "fan_out": {"over": "parameters.parts"}}
    counted = {"$ref": "length(tasks.part.result)"}
    joined = {"key": "joined", "job": hook("wide-joined"), "input": {"parts": counted}}
    edges = [{"source": "part", "target": "joined"}]
    return {"name": "wide", "tasks": [parts, joined], "edges": edges}


def assert_failed(run: dict[str, Any], name: str, policy: str) -> None:
    """Assert that no task behind the failed one began, and that each other task ran."""
    key, behind = BROKEN[name]
    found = states(run)
    assert found.pop(key) == "failed"
    # Tasks that waited for it are skipped by its end, or cancelled with everything else.
    nothing = {"skipped", *(["cancelled"] if policy == "fail_fast" else [])}
    assert {found.pop(each) for each in behind} <= nothing
    # Beside it, when everything is stopped, a task may have been stopped.
    assert set(found.values()) <= {"succeeded", *(["cancelled"] if policy == "fail_fast" else [])}
    assert run["round"] == (2 if policy == "retry" else 1)


def test_the_pipelines_run_and_fail_under_each_policy_and_are_repaired(
    stack: Stack, recorder: Recorder, hand: Hand
) -> None:
    """Beside them one that is redefined in its middle; then two hundred members join once."""
    changed, changed_dag = redefined(stack, recorder)
    sound = {name: started(stack, created(stack, example(name))) for name in SOUND}
    failing = broken(stack, hand)
    Thread(target=hand.work, daemon=True).start()

    failed = come_to(stack, list(failing), "failed")
    retried = [stack.api.post(f"/v1/dag-runs/{each}/retry").status_code for each in failing]
    finished = come_to(stack, [*sound.values(), changed], "succeeded")
    repaired = come_to(stack, list(failing), "succeeded")
    hand.stopped.set()
    spread = started(stack, created(stack, wide(recorder)), parts=list(range(WIDTH)))
    (joined,) = come_to(stack, [spread], "succeeded")

    for run, (name, policy) in zip(failed, failing.values(), strict=True):
        assert_failed(run, name, policy)
    assert set(retried) == {202}
    assert hand.unwelcome == []
    assert all(set(states(run).values()) == {"succeeded"} for run in [*repaired, joined])
    by_id = {run["dag_run_id"]: states(run) for run in finished}
    assert by_id[sound["fan-out"]].pop("alert") == "skipped"
    assert all(set(found.values()) == {"succeeded"} for found in by_id.values())
    assert_done_once(hand, failing)
    given = {(run, key): payload for run, key, payload in hand.done}
    assert given[sound["diamond"], "aggregate"] == {"rows": 12}
    assert given[sound["linear-etl"], "report"]["run"] == sound["linear-etl"]
    assert [
        payload for run, key, payload in hand.done if (run, key) == (sound["fan-out"], "total")
    ] == [{"loaded": [{"rows": 2}] * 5}]
    bodies = sorted(each.body for each in recorder.requests("wide-part"))
    assert bodies == list(range(WIDTH))
    assert [each.body for each in recorder.requests("wide-joined")] == [{"parts": WIDTH}]
    assert [each.body for each in recorder.requests("named")] == [1]
    assert stack.api.get(f"/v1/dags/{changed_dag}").json()["version"] == 2
    assert finished[-1]["dag_version"] == 1


def assert_done_once(hand: Hand, failing: dict[str, tuple[str, str]]) -> None:
    """Assert that neither a later round nor a repair repeated a succeeded task."""
    counts: dict[tuple[str, str], int] = {}
    for dag_run_id, key, _ in hand.done:
        counts[dag_run_id, key] = counts.get((dag_run_id, key), 0) + 1
    for dag_run_id, (name, policy) in failing.items():
        key, behind = BROKEN[name]
        own = {task: times for (run, task), times in counts.items() if run == dag_run_id}
        assert own.pop(key) == (3 if policy == "retry" else 2)
        assert {own.pop(each) for each in behind} == {1}
        assert policy == "fail_fast" or set(own.values()) <= {1}
