"""``then`` in files: a DAG stands, by its name, where a job's name may stand."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.functional.cli.conftest import Outcome
from tests.functional.cli.programs import alone
from tests.functional.cli.served import served, timegate
from tests.support.world import World

__all__ = ["alone", "served", "timegate"]

Timegate = Callable[..., Outcome]

JOB = """
kind: Job
name: import
spec:
  schedule: {kind: cron, cron: "0 2 * * *"}
  action: {type: worker, pool: etl, handler: import}
  then: [{job_id: Dag/load, "on": [succeeded]}]
"""
LOAD = """
kind: Dag
name: load
spec:
  tasks: [{key: load, job: {action: {type: worker, pool: etl, handler: load}}}]
  schedule: {kind: manual}
"""
REPORT = """
kind: Dag
name: report
spec:
  tasks: [{key: report, job: {action: {type: worker, pool: etl, handler: report}}}]
  then: [{job_id: Dag/load, "on": [finished]}]
"""


@pytest.fixture
def file(tmp_path: Path, served: World) -> Path:
    return tmp_path / "files.yaml"


@pytest.fixture
def apply(timegate: Timegate, file: Path) -> Callable[..., Outcome]:
    """Apply documents, joined into one file."""

    def applied(*documents: str, options: tuple[str, ...] = ()) -> Outcome:
        file.write_text("---".join(documents))
        return timegate("apply", "-f", str(file), "--yes", "--json", *options)

    return applied


def verbs(outcome: Outcome) -> dict[str, str]:
    """Return the verb of each step."""
    return {f"{each['kind']}/{each['name']}": each["verb"] for each in outcome.json["steps"]}


def code(outcome: Outcome) -> str:
    """The code of the field that is wrong."""
    (error,) = json.loads(outcome.err)["error"]["errors"]
    return str(error["code"])


def followers(timegate: Timegate, name: str) -> list[str]:
    """The ids of what follows a job."""
    jobs = {job["name"]: job for job in timegate("jobs", "list", "--json").json["items"]}
    return [each["job_id"] for each in jobs[name]["then"]]


def dag(timegate: Timegate, name: str) -> dict[str, Any]:
    """A DAG by its name."""
    found = timegate("dags", "list", "--json").json["items"]
    (dag_id,) = [each["dag_id"] for each in found if each["name"] == name]
    shown: dict[str, Any] = timegate("dags", "show", dag_id, "--json").json
    return shown


def test_a_dag_is_made_before_what_it_follows(
    apply: Callable[..., Outcome], timegate: Timegate
) -> None:
    """Its own job follows, of a job and of another DAG; applied again, nothing is to be done."""
    first = apply(JOB, REPORT, LOAD)
    second = apply(JOB, REPORT, LOAD)
    own = dag(timegate, "load")["job_id"]

    assert (first.code, first.err) == (0, "")
    assert list(verbs(first)) == ["Dag/load", "Job/import", "Dag/report"]
    assert set(verbs(second).values()) == {"keep"}
    assert own
    assert followers(timegate, "import") == [own]
    assert dag(timegate, "report")["then"] == [
        {"job_id": own, "on": ["finished"], "payload": "own"}
    ]


def test_a_new_dag_follows_a_job_that_is_there(
    apply: Callable[..., Outcome], timegate: Timegate, file: Path
) -> None:
    """The plan says its name, whose id is not known yet; the change takes its job's."""
    apply(JOB.replace('[{job_id: Dag/load, "on": [succeeded]}]', "[]"))
    file.write_text(JOB + "---" + LOAD)
    shown = timegate("diff", "-f", str(file), "--days", "0")
    changed = apply(JOB, LOAD)

    assert '"job_id": "Dag/load"' in shown.out
    assert verbs(changed) == {"Dag/load": "create", "Job/import": "change"}
    assert followers(timegate, "import") == [dag(timegate, "load")["job_id"]]


def test_a_dag_is_given_its_job_by_the_change_that_lets_it_follow(
    apply: Callable[..., Outcome], timegate: Timegate
) -> None:
    """A DAG that had none gets one with its schedule, and the job's change comes behind it."""
    apply(LOAD.replace("  schedule: {kind: manual}\n", ""))
    changed = apply(JOB, LOAD)
    again = apply(JOB, LOAD)

    assert verbs(changed) == {"Dag/load": "change", "Job/import": "create"}
    assert followers(timegate, "import") == [dag(timegate, "load")["job_id"]]
    assert set(verbs(again).values()) == {"keep"}


def test_a_dag_without_a_job_cannot_follow(
    apply: Callable[..., Outcome], timegate: Timegate
) -> None:
    """It is refused before anything is made, with what to write."""
    bare = LOAD.replace("  schedule: {kind: manual}\n", "")
    refused = apply(JOB, bare)
    alone = apply(bare)
    still = apply(JOB, bare)

    assert refused.code == still.code == 1
    assert code(refused) == "dag_without_job"
    assert "{kind: manual}" in still.err
    assert alone.code == 0
    assert timegate("jobs", "list", "--json").json["items"] == []


@pytest.mark.parametrize(
    "documents",
    [
        (JOB, LOAD + '  then: [{job_id: Job/import, "on": [succeeded]}]\n'),
        (REPORT, LOAD + '  then: [{job_id: Dag/report, "on": [succeeded]}]\n'),
        (LOAD + '  then: [{job_id: Dag/load, "on": [succeeded]}]\n',),
    ],
    ids=["by a job", "by a DAG", "by itself"],
)
def test_what_comes_round_is_refused(
    apply: Callable[..., Outcome], timegate: Timegate, documents: tuple[str, ...]
) -> None:
    """The code is that of jobs that follow one another; nothing is made."""
    refused = apply(*documents)

    assert refused.code == 2
    assert code(refused) == "cycle"
    assert "Dag/load" in refused.err
    assert timegate("dags", "list", "--json").json["items"] == []


def test_a_dag_of_the_stage_follows_by_its_name(
    apply: Callable[..., Outcome], timegate: Timegate
) -> None:
    """No file has to declare it: another set, or the console, made it."""
    apply(LOAD, options=("--set", "pipelines"))
    own = dag(timegate, "load")["job_id"]
    first, second = apply(JOB), apply(JOB)

    assert (verbs(first), verbs(second)) == ({"Job/import": "create"}, {"Job/import": "keep"})
    assert followers(timegate, "import") == [own]


def test_a_name_that_means_nothing_or_two_things_is_refused(
    apply: Callable[..., Outcome],
) -> None:
    """The source that names it is said; a DAG that the same command would end is none."""
    unknown = apply(JOB)
    apply(LOAD)
    ended = apply(JOB, options=("--prune",))
    apply(LOAD, options=("--set", "others"))
    ambiguous = apply(JOB)

    assert [each.code for each in (unknown, ended, ambiguous)] == [2, 2, 2]
    assert [code(each) for each in (unknown, ended, ambiguous)] == [
        *("unknown_reference", "unknown_reference", "ambiguous"),
    ]
    assert "is no longer declared, and would end" in ended.err


def test_a_program_names_a_dag_of_the_stage(
    apply: Callable[..., Outcome], timegate: Timegate, tmp_path: Path
) -> None:
    """``@job`` takes the same references, and ``deploy`` finds them on the stage."""
    apply(LOAD, options=("--set", "pipelines"))
    program = tmp_path / "following_program.py"
    program.write_text(
        "from timegate.worker import job\n\n\n"
        '@job("import", then=[{"job_id": "Dag/load", "on": ["succeeded"]}])\n'
        "def run(context):\n"
        '    """Import."""\n'
    )
    deployed = timegate("deploy", str(program), "--yes", "--json")
    again = timegate("deploy", str(program), "--yes", "--json")

    assert (deployed.code, verbs(deployed)) == (0, {"Job/import": "create"})
    assert set(verbs(again).values()) == {"keep"}
    assert followers(timegate, "import") == [dag(timegate, "load")["job_id"]]


def test_a_dag_may_be_called_as_the_job_of_another(
    timegate: Timegate, apply: Callable[..., Outcome]
) -> None:
    """The own job of ``load`` is not the DAG ``load job``, whichever of them is made first."""
    other = LOAD.replace("name: load", "name: load job").replace("  schedule: {kind: manual}", "")
    trigger = """
kind: EventTrigger
name: loaded
spec:
  pattern: {type: [file.loaded]}
  starts: {type: dag_run, dag_id: Dag/load job}
"""
    made = apply(LOAD, other, trigger, JOB)
    again = apply(LOAD, other, trigger, JOB)
    dags = {each["name"]: each for each in timegate("dags", "list", "--json").json["items"]}
    own = timegate("dags", "show", dags["load"]["dag_id"], "--json").json
    (started,) = timegate("event-triggers", "list", "--json").json["items"]

    assert (made.code, set(verbs(again).values())) == (0, {"keep"})
    assert started["starts"]["dag_id"] == dags["load job"]["dag_id"]
    assert followers(timegate, "import") == [own["job_id"]]
