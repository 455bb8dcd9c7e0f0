"""The state machine whose executions stand for DAG runs."""

import json
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from infra.constructs.dags.dag_definition import definition as defined
from infra.local.deployment import ROOT
from tests.infra.stage_template import Grant, Resource, StageTemplate, listed
from timegate.domain.dags.limits import MAX_TASKS, MAX_TIMEOUT_SECONDS
from timegate.ports.dag_runs import DAG_RUN_FAILED


@pytest.fixture
def machine(stage: StageTemplate) -> Resource:
    """The only one there is: one for all DAGs."""
    (found,) = stage.of_type("AWS::StepFunctions::StateMachine")
    return found


@pytest.fixture
def definition(machine: Resource) -> dict[str, Any]:
    """Return the machine's definition."""
    found: dict[str, Any] = json.loads(machine.properties["DefinitionString"])
    return found


def states(definition: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Every state, those of its map as well."""
    own: dict[str, dict[str, Any]] = definition["States"]
    return {**own, **own["Tasks"]["ItemProcessor"]["States"]}


def test_it_is_standard_logged_and_traced(machine: Resource) -> None:
    """Executions live for weeks; what tenants pass is not written to logs."""
    properties = machine.properties

    assert properties["StateMachineType"] == "STANDARD"
    assert properties["LoggingConfiguration"]["Level"] == "ALL"
    assert properties["LoggingConfiguration"]["IncludeExecutionData"] is False
    assert properties["TracingConfiguration"] == {"Enabled": True}


#: Checks the language's schema and the syntax of every path (https://states-language.net/spec.html).
LINTER = ROOT / "node_modules" / ".bin" / "asl-validator"
STEPS = "arn:aws:lambda:eu-central-1:123456789012:function:steps"


def refused(definitions: Sequence[dict[str, Any]], folder: Path) -> str:
    """Return the linter's complaints about definitions that AWS would refuse, or nothing."""
    command = [str(LINTER)]
    for number, definition in enumerate(definitions):
        path = folder / f"{number}.json"
        path.write_text(json.dumps(definition))
        command += ["--json-path", str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    said = done.stdout + done.stderr

    assert done.returncode in {0, 1}, said
    assert (done.returncode == 1) == ("is invalid" in said), said
    return said if done.returncode else ""


def test_a_linter_of_the_language_has_nothing_to_say(tmp_path: Path) -> None:
    """It accepts the machine, and complains of each change that AWS refuses."""
    broken = [
        changed("Tasks", "ItemsPath", "$.opened.["),
        changed("Cleanup", "TimeoutSecond", 120),
        changed("Tasks", "Next", None),
    ]

    assert refused([defined(STEPS, "aws")], tmp_path) == ""
    assert refused(broken, tmp_path).count("is invalid:") == len(broken)


def changed(state: str, field: str, value: object) -> dict[str, Any]:
    """The machine with one state as it must not be."""
    broken = defined(STEPS, "aws")
    broken["States"][state][field] = value
    return broken


def test_every_state_leads_somewhere(definition: dict[str, Any]) -> None:
    """No typo is found at run time, and every task ends by a time limit."""
    own = states(definition)
    named = {each["Next"] for each in own.values() if "Next" in each}
    named |= {c["Next"] for each in own.values() for c in each.get("Catch", [])}
    tasks = [each for each in own.values() if each["Type"] == "Task"]

    assert named | {definition["StartAt"], "Task"} == set(own)
    assert all(each["TimeoutSeconds"] and each["Retry"] for each in tasks)
    assert definition["TimeoutSeconds"] > MAX_TIMEOUT_SECONDS


def test_whatever_fails_is_cleaned_up(definition: dict[str, Any]) -> None:
    """Every state that can fail before the end is caught."""
    for name in ("Tasks", "Close"):
        *_, caught = definition["States"][name]["Catch"]
        assert (caught["ErrorEquals"], caught["Next"]) == (["States.ALL"], "Cleanup")


def test_a_dag_run_that_failed_is_neither_retried_nor_cleaned_up(
    definition: dict[str, Any],
) -> None:
    """Its execution fails by the answer to its last callback."""
    close = definition["States"]["Close"]
    (retried, caught) = close["Retry"][0], close["Catch"][0]

    assert (retried["ErrorEquals"], retried["MaxAttempts"]) == ([DAG_RUN_FAILED], 0)
    assert (caught["ErrorEquals"], caught["Next"]) == ([DAG_RUN_FAILED], "Failed")
    assert definition["States"]["Failed"] == {
        "Type": "Fail",
        "Error": DAG_RUN_FAILED,
        "Cause": "See the DAG run.",
    }


def entered(machine: dict[str, Any], tasks: int) -> int:
    """Return the number of states that a course without an error enters."""
    name, count = machine["StartAt"], 0
    while True:
        state = machine["States"][name]
        count += 1
        if state["Type"] == "Map":
            count += tasks * entered(state["ItemProcessor"], tasks)
        if state.get("End") or state["Type"] in {"Succeed", "Fail"}:
            return count
        name = state["Next"]


@pytest.mark.parametrize("tasks", [1, 5, 500])
def test_a_dag_run_costs_a_transition_for_each_task_and_three_more(
    definition: dict[str, Any], tasks: int
) -> None:
    """AWS counts the start, and each state that is entered; a ``Choice`` would be one as well."""
    assert 1 + entered(definition, tasks) == tasks + 3


def test_the_death_of_a_step_is_no_failure(definition: dict[str, Any]) -> None:
    """Nor is any error of it: steps can be repeated, and a table may be out of reach for a while.

    Lambda reports deaths under several names, so none is listed.
    """
    for state in states(definition).values():
        if state["Type"] == "Task":
            rule = state["Retry"][-1]
            assert rule["ErrorEquals"] == ["States.TaskFailed"]
            assert rule["MaxAttempts"] >= 8


def test_an_account_without_concurrency_for_long_stops_no_dag_run(
    definition: dict[str, Any],
) -> None:
    """Lambda refuses the steps meanwhile; after the last try, a clean-up would stop sound tasks.

    With full jitter a pause is half of its bound in the mean.
    """
    for state in states(definition).values():
        if state["Type"] == "Task":
            rule = state["Retry"][-1]
            bounds = [
                min(rule["IntervalSeconds"] * rule["BackoffRate"] ** n, rule["MaxDelaySeconds"])
                for n in range(rule["MaxAttempts"])
            ]
            assert sum(bounds) / 2 > 20 * 60
            assert bounds[0] == 1


def test_its_history_has_room_for_the_largest_dag(definition: dict[str, Any]) -> None:
    """25,000 events an execution; an iteration with every retry has about forty."""
    retries = states(definition)["Task"]["Retry"][0]["MaxAttempts"]
    of_an_iteration = 4 + 4 * (retries + 1)

    assert MAX_TASKS * of_an_iteration < 25_000


def test_its_role_invokes_its_steps_and_writes_logs(
    stage: StageTemplate, machine: Resource
) -> None:
    """And nothing else: it reaches no table."""
    role = machine.properties["RoleArn"].removesuffix(".Arn")
    granted = stage.grants_of_role(role)
    invoked = {grant.resource for grant in granted if grant.action.startswith("lambda:")}

    # Without a version by executions of a release before aliases.
    assert invoked == {"DagRuns/Live", f"{stage.function('dag_runs').path}.Arn"}
    assert {g.action.partition(":")[0] for g in granted} == {"lambda", "logs", "xray"}
    assert {Grant("lambda:InvokeFunction", each) for each in invoked} <= granted


def test_outcomes_and_steps_begin_and_answer_its_executions(stage: StageTemplate) -> None:
    """By its name, which is the machine's."""
    (machine,) = stage.of_type("AWS::StepFunctions::StateMachine")
    for name in ("outcomes", "dag_runs"):
        arns = [
            arn
            for statement in stage.statements(name)
            if "states:StartExecution" in listed(statement["Action"])
            for arn in listed(statement["Resource"])
        ]
        assert [arn.rpartition(":")[2] for arn in arns] == [machine.properties["StateMachineName"]]
