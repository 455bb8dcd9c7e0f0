"""Measure orchestration: one line of tasks by Timegate and by Step Functions alone, as JSON.

    {"tasks": 5, "repetitions": 10, "added_ms_per_task": {"p50_ms": …, "p95_ms": …}, …}

A course's time by its tasks has a share of its start; ``ms_between`` is from end to end of tasks.

Both call the same function on the same local stack, in turn, one run at a time. The plain state
machine has a state for each task and nothing else. Times are those of the records: of the DAG run,
and of the execution. Transitions are counted in the histories of executions: states that were
entered, and the start. Milliseconds of an emulator on one machine are not those of AWS: they say
which way is longer, and by how many hops. Transitions are the same there.

    python -m bench.alternatives.dag_overhead [REPETITIONS]
"""

import json
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import pairwise
from typing import TYPE_CHECKING, Any, cast

from bench.alternatives.origin import origin
from bench.lateness import percentile
from infra.local.__main__ import HOME
from infra.local.access import profile_path
from infra.local.cloud import ACCOUNT, REGION, LocalCloud
from infra.local.demo.show import warm
from infra.local.demo.targets import targets
from infra.local.deployment import deploy
from timegate.client import TimegateClient, load_profile

if TYPE_CHECKING:
    from mypy_boto3_stepfunctions import SFNClient

TASKS = 5
REPETITIONS = 10
_NAME = "timegate-bench-plain"
#: Between two looks at what has ended; the records say when.
_LOOK_SECONDS = 0.3
_PATIENCE_SECONDS = 120.0


@dataclass(frozen=True, kw_only=True)
class Course:
    """One run of the line."""

    took: timedelta
    #: From the end of its first task to that of its last one.
    between: timedelta
    transitions: int

    @property
    def ms_per_task(self) -> float:
        """From its start to its end."""
        return self.took / timedelta(milliseconds=1) / TASKS

    @property
    def ms_between(self) -> float:
        """From the end of a task to that of the next one."""
        return self.between / timedelta(milliseconds=1) / (TASKS - 1)


def main() -> None:
    """Run both in turn, report."""
    repetitions = int(sys.argv[1]) if len(sys.argv) > 1 else REPETITIONS
    cloud = LocalCloud.running(HOME)
    if cloud is None:
        sys.exit("No local stack is running: make local.")
    warm(cloud, deploy(cloud))
    profile = load_profile({"TIMEGATE_PROFILE_FILE": str(profile_path())})
    with (
        TimegateClient(profile) as timegate,
        targets(cloud) as called,
        step_functions(cloud) as client,
    ):
        dag_id = _dag(timegate, called.function_arn)
        machine = _plain(client, called.function_arn)
        # The first course starts Python everywhere: that is not what is measured.
        _by_timegate(timegate, client, dag_id, "warm-up")
        _by_itself(client, machine, "warm-up")
        pairs = [
            (
                _by_timegate(timegate, client, dag_id, f"{number}"),
                _by_itself(client, machine, f"{number}-{time.time_ns()}"),
            )
            for number in range(repetitions)
        ]
    sys.stdout.write(f"{json.dumps({**origin(), **report(pairs)})}\n")


def report(pairs: list[tuple[Course, Course]]) -> dict[str, Any]:
    """Per task: what both took, what is added, and the transitions of a whole course."""
    return {
        "tasks": TASKS,
        "repetitions": len(pairs),
        **_spreads("ms_per_task", pairs),
        **_spreads("ms_between", pairs),
        "transitions": {
            "timegate": sorted({ours.transitions for ours, _ in pairs}),
            "plain": sorted({theirs.transitions for _, theirs in pairs}),
        },
    }


def _spreads(measure: str, pairs: list[tuple[Course, Course]]) -> dict[str, dict[str, float]]:
    """Spreads of both, and of the time that Timegate adds."""
    both = [(getattr(ours, measure), getattr(theirs, measure)) for ours, theirs in pairs]
    by_whom = {
        "timegate": [ours for ours, _ in both],
        "plain": [theirs for _, theirs in both],
        "added": [ours - theirs for ours, theirs in both],
    }
    return {
        f"{who}_{measure}": {f"p{p}_ms": round(percentile(sorted(v), p), 1) for p in (50, 95)}
        for who, v in by_whom.items()
    }


def _by_timegate(timegate: TimegateClient, client: "SFNClient", dag_id: str, key: str) -> Course:
    started = timegate.start_dag_run(dag_id, {}, idempotency_key=f"{key}-{time.time_ns()}")
    dag_run_id = started["dag_run_id"]
    run: Any = _awaited(lambda: timegate.get_dag_run(dag_run_id), "succeeded")
    took = datetime.fromisoformat(run["ended_at"]) - datetime.fromisoformat(run["created_at"])
    ends = sorted(datetime.fromisoformat(task["ended_at"]) for task in run["tasks"])
    machine = f"arn:aws:states:{REGION}:{ACCOUNT}:stateMachine:timegate-local-dag-runs"
    executions = client.list_executions(stateMachineArn=machine)["executions"]
    (own,) = (e["executionArn"] for e in executions if e["name"].startswith(dag_run_id))
    _awaited(lambda: client.describe_execution(executionArn=own), "SUCCEEDED")
    return Course(took=took, between=ends[-1] - ends[0], transitions=_transitions(client, own))


def _by_itself(client: "SFNClient", machine: str, key: str) -> Course:
    payload = json.dumps({"payload": {"n": 1}})
    begun = client.start_execution(stateMachineArn=machine, name=f"bench-{key}", input=payload)
    arn = begun["executionArn"]
    ended: Any = _awaited(lambda: client.describe_execution(executionArn=arn), "SUCCEEDED")
    took = ended["stopDate"] - ended["startDate"]
    ends = [each["timestamp"] for each in _events(client, arn) if each["type"] == "TaskStateExited"]
    return Course(took=took, between=ends[-1] - ends[0], transitions=_transitions(client, arn))


def _transitions(client: "SFNClient", arn: str) -> int:
    """States that were entered, and the transition from the start to the first.

    The emulator does not show which states an iteration enters, but what it asks for: that is
    there once for each task's state, and once more for each retry, which is a transition as well.
    """
    types = [event["type"] for event in _events(client, arn)]
    others = [each for each in types if each.endswith("StateEntered") and "Task" not in each]
    return 1 + len(others) + types.count("TaskScheduled")


def _events(client: "SFNClient", arn: str) -> list[Any]:
    pages = client.get_paginator("get_execution_history").paginate(executionArn=arn)
    return [event for page in pages for event in page["events"]]


def _awaited(look: Any, status: str) -> Any:  # noqa: ANN401 - whatever was looked at
    deadline = time.monotonic() + _PATIENCE_SECONDS
    while (found := look())["status"] != status:
        if time.monotonic() > deadline:
            sys.exit(f"It has not {status}: {found}")
        time.sleep(_LOOK_SECONDS)
    return found


def _dag(timegate: TimegateClient, function_arn: str) -> str:
    """A line of tasks that call the function."""
    keys = [f"t{number}" for number in range(TASKS)]
    job = {"action": {"type": "lambda", "function_arn": function_arn}, "payload": {"n": 1}}
    definition = {
        "name": "bench",
        "tasks": [{"key": key, "job": job} for key in keys],
        "edges": [{"source": a, "target": b} for a, b in pairwise(keys)],
    }
    created = timegate.create_dag(cast("Any", definition))
    return str(created["dag_id"])


def _plain(client: "SFNClient", function_arn: str) -> str:
    """The same as one would write it by hand; made anew, so that nothing of it is older."""
    states = {
        f"t{number}": {
            "Type": "Task",
            "Resource": "arn:aws:states:::lambda:invoke",
            "Parameters": {"FunctionName": function_arn, "Payload.$": "$"},
            "ResultPath": None,
            **({"Next": f"t{number + 1}"} if number + 1 < TASKS else {"End": True}),
        }
        for number in range(TASKS)
    }
    definition = json.dumps({"StartAt": "t0", "States": states})
    arn = f"arn:aws:states:{REGION}:{ACCOUNT}:stateMachine:{_NAME}"
    with suppress(client.exceptions.StateMachineDoesNotExist):
        client.delete_state_machine(stateMachineArn=arn)
    role = f"arn:aws:iam::{ACCOUNT}:role/{_NAME}"
    made = client.create_state_machine(name=_NAME, definition=definition, roleArn=role)
    return made["stateMachineArn"]


@contextmanager
def step_functions(cloud: LocalCloud) -> Iterator["SFNClient"]:
    """A client with the account's own rights."""
    with closing(cloud.client("stepfunctions")) as client:
        yield client


if __name__ == "__main__":
    main()
