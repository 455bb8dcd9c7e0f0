"""``timegate doctor``: every step in words, what to do about a problem, and nothing left behind."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.functional.cli.conftest import Outcome, Terminal
from tests.functional.cli.doctor.fake_stage import DAG_ID, FakeStage
from tests.functional.cli.fake_api import FakeApi, refusal
from tests.functional.cli.samples import JOB_ID, answered

Timegate = Callable[..., Outcome]
STEPS = [
    "ask the API",
    "read the stage's health",
    "create a job",
    "start its run",
    "offer its task",
    "end its run",
    "complete the job",
    "clean up",
]
HEALTHY = {"status": "healthy", "problems": []}


@pytest.fixture
def stage(api: FakeApi, monkeypatch: pytest.MonkeyPatch) -> FakeStage:
    """A stage in which everything works."""
    found = FakeStage()
    found.behind(api, monkeypatch)
    return found


@pytest.fixture
def timegate(stage: FakeStage, request: pytest.FixtureRequest) -> Timegate:
    """The command, set up after the stage has been put behind the transport."""
    terminal: Terminal = request.getfixturevalue("terminal")
    return terminal.run


def steps(outcome: Outcome) -> dict[str, dict[str, Any]]:
    """The steps of ``--json`` by their names."""
    return {each["step"]: each for each in outcome.json["steps"]}


def test_a_stage_that_works_is_said_to_be_well(timegate: Timegate, stage: FakeStage) -> None:
    """Each step has its line; the job has ended and the DAG is deleted."""
    outcome = timegate("doctor")

    assert (outcome.code, outcome.unexpected) == (0, None)
    assert [line.partition("ok")[2].split(":")[0].strip() for line in outcome.out.splitlines()][
        :1
    ] == STEPS[:1]
    assert "skipped  read the stage's health" in outcome.out
    assert "Jobs call targets in eu-central-1, eu-west-1, us-east-1." in outcome.out.splitlines()[0]
    assert outcome.out.splitlines()[-1] == "All is well (1 skipped)."
    assert [each.split("/v1/")[1].split("/")[0] for each in stage.asked] == (
        ["dags", "jobs", "pools", "runs", "dags"]
    )
    assert stage.asked[-1] == f"DELETE /v1/dags/{DAG_ID}"


def test_a_program_is_given_every_step(timegate: Timegate, stage: FakeStage) -> None:
    """In their order, with outcome, words and time."""
    stage.forbidden = set()
    stage.health = HEALTHY
    outcome = timegate("doctor", "--json")

    assert outcome.json["ok"] is True
    assert list(steps(outcome)) == STEPS
    assert {each["outcome"] for each in outcome.json["steps"]} == {"ok"}
    assert {each["remedy"] for each in outcome.json["steps"]} == {None}


@pytest.mark.parametrize(
    ("part", "step", "says", "remedy"),
    [
        ("api", "start its run", "has no run", "#planner-silence"),
        ("executor", "start its run", "no executor took it", "#queue-backlog"),
        ("offers", "offer its task", "was not offered in 60 s", "dag_runs"),
        ("ends", "end its run", "has not ended although", "#stream-behind"),
        ("outcomes", "complete the job", "ends are not followed", "outcomes"),
    ],
)
def test_a_part_that_does_nothing_is_found(
    timegate: Timegate, stage: FakeStage, part: str, step: str, says: str, remedy: str
) -> None:
    """Its step is the first problem, says what to look at, and the job is ended all the same."""
    stage.broken = {part}
    outcome = timegate("doctor", "--json")
    problems = {name: each for name, each in steps(outcome).items() if each["outcome"] == "problem"}

    assert outcome.code == 4
    assert list(problems) == [step]
    assert says in problems[step]["detail"]
    assert remedy in problems[step]["remedy"]
    assert list(steps(outcome))[-1] == "clean up"
    assert stage.asked[-2:] == [f"DELETE /v1/jobs/{JOB_ID}", f"DELETE /v1/dags/{DAG_ID}"]


def test_a_problem_is_told_to_people(timegate: Timegate, stage: FakeStage) -> None:
    """The remedy is below the problem; the last line counts."""
    stage.broken = {"executor"}
    lines = timegate("doctor", "--timeout", "5s").out.splitlines()
    at = next(number for number, line in enumerate(lines) if line.startswith("problem"))

    assert "Nothing moved in 5 s." in lines[at]
    assert lines[at + 1].startswith("         Look at docs/operations/runbooks.md")
    assert lines[-1] == "1 of 5 steps found a problem."


def test_a_token_without_the_workers_scope_has_less_checked(
    timegate: Timegate, stage: FakeStage
) -> None:
    """The offer is seen in the pool; the job is cancelled."""
    stage.forbidden = {"/v1/health", "/claim"}
    outcome = timegate("doctor", "--json")

    assert outcome.code == 0
    assert steps(outcome)["offer its task"]["outcome"] == "warning"
    assert "timegate/worker" in steps(outcome)["offer its task"]["detail"]
    assert f"DELETE /v1/jobs/{JOB_ID}" in stage.asked


@pytest.mark.parametrize(
    ("status", "outcome", "code"), [("unhealthy", "problem", 4), ("degraded", "warning", 0)]
)
def test_problems_of_the_stage_are_told(
    timegate: Timegate, stage: FakeStage, status: str, outcome: str, code: int
) -> None:
    """The canary flies all the same: it tells if jobs run."""
    stage.forbidden = set()
    stage.health = {"status": status}
    found = timegate("doctor", "--json")
    health = steps(found)["read the stage's health"]

    assert (found.code, health["outcome"]) == (code, outcome)
    assert health["detail"] == answered("getHealth", "problems", 0)["detail"]
    assert "runbooks.md#planner-silence" in health["remedy"]
    assert steps(found)["complete the job"]["outcome"] == "ok"


@pytest.mark.parametrize(
    ("created_at", "outcome"),
    [
        ("2026-11-21T07:00:05.000Z", "ok"),
        ("2026-11-21T07:00:05.100Z", "warning"),
        ("2026-11-21T06:59:55.000Z", "ok"),
        ("2026-11-21T06:59:54.900Z", "warning"),
    ],
)
def test_a_clock_that_is_wrong_is_found(
    timegate: Timegate, stage: FakeStage, created_at: str, outcome: str
) -> None:
    """Five seconds are allowed, in either direction."""
    stage.created_at = created_at

    assert steps(timegate("doctor", "--json"))["create a job"]["outcome"] == outcome


def test_a_suspended_tenant_is_a_problem_of_its_own(timegate: Timegate, stage: FakeStage) -> None:
    """Nothing is created in it."""
    stage.tenant_status = "suspended"
    outcome = timegate("doctor", "--json")

    assert outcome.code == 4
    assert list(steps(outcome)) == ["ask the API"]
    assert "tenants resume" in steps(outcome)["ask the API"]["remedy"]
    assert stage.asked == []


def test_no_answer_and_no_profile_are_told_with_a_code_of_their_own(
    api: FakeApi, terminal: Terminal, elsewhere: Callable[..., Terminal]
) -> None:
    """A script tells them from a stage that is ill."""
    api.will(ConnectionRefusedError("refused"))
    missing = elsewhere(XDG_CONFIG_HOME="/nowhere").run("doctor", "--json")

    assert missing.code == 3
    assert [each["step"] for each in missing.json["steps"]] == ["read the profile"]


def test_a_refusal_is_told_with_its_code(api: FakeApi, terminal: Terminal) -> None:
    """And with the request to look for in the log."""
    api.will(refusal(500, "internal_error", "Something broke."))
    outcome = terminal.run("doctor", "--json")
    (step,) = outcome.json["steps"]

    assert outcome.code == 4
    assert step["detail"] == "[internal_error] Something broke."
    assert "req-1" in step["remedy"]
