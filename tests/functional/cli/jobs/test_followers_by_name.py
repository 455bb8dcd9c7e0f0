"""``jobs create --then``: a follower by its name, in front of the API itself."""

import json
from collections.abc import Callable

import pytest

from tests.functional.cli.conftest import Outcome
from tests.functional.cli.served import served, timegate
from tests.support.world import World

__all__ = ["served", "timegate"]

Timegate = Callable[..., Outcome]

HOOK = ("--webhook", "https://hooks.example.com/x")
NEW = ("jobs", "create", "--name", "import", "--cron", "0 2 * * *", *HOOK)
LOAD = {"tasks": [{"key": "gate", "wait": {"kind": "sleep", "seconds": 60}}], "edges": []}


@pytest.fixture
def dag(timegate: Timegate, served: World) -> Callable[..., str]:
    """Create a DAG; its id."""

    def created(name: str, **fields: object) -> str:
        written = json.dumps({"name": name, **LOAD, **fields})
        made = timegate("dags", "create", "-f", "-", "--json", stdin=written).json
        return str(made["dag_id"])

    return created


def test_a_dag_follows_by_its_name(timegate: Timegate, dag: Callable[..., str]) -> None:
    """Its own job does, which the API's answer names."""
    dag("loads")
    load = dag("load", schedule={"kind": "manual"})
    made = timegate(*NEW, "--then", "Dag/load", "--then-on", "finished", "--json")
    own = timegate("dags", "show", load, "--json").json["job_id"]

    assert (made.code, [each["job_id"] for each in made.json["then"]]) == (0, [own])
    assert made.json["then"][0]["on"] == ["finished"]


def test_a_job_follows_by_its_name(timegate: Timegate, served: World) -> None:
    """One that was cancelled is passed over, and so is a name that only begins so."""
    names = ("report", "reports", "report")
    made = [timegate(*NEW[:3], name, *NEW[4:], "--json").json["job_id"] for name in names]
    timegate("jobs", "cancel", made[0], "--yes")
    follows = timegate(*NEW, "--then", "Job/report", "--json")

    assert [each["job_id"] for each in follows.json["then"]] == [made[2]]


@pytest.mark.parametrize(
    ("then", "there", "code"),
    [
        ("Dag/load", (), "unknown_reference"),
        ("Job/load", (), "unknown_reference"),
        ("Dag/load", ("load", "load"), "ambiguous"),
    ],
)
def test_a_name_that_says_nothing_is_refused(
    timegate: Timegate, dag: Callable[..., str], then: str, there: tuple[str, ...], code: str
) -> None:
    """Nothing is created."""
    for name in there:
        dag(name, description=str(len(name)), schedule={"kind": "manual"})
    refused = timegate(*NEW, "--then", then, "--json")

    assert refused.code == 2
    assert json.loads(refused.err)["error"]["errors"][0]["code"] == code
    assert timegate("jobs", "list", "--name", "import", "--json").json["items"] == []


def test_a_dag_without_a_job_of_its_own_cannot_follow(
    timegate: Timegate, dag: Callable[..., str]
) -> None:
    """The API refuses it, and names the field."""
    dag("load")
    refused = timegate(*NEW, "--then", "Dag/load", "--json")

    assert refused.code == 1
    assert "unknown_job" in refused.err


@pytest.mark.parametrize(
    "command",
    [
        "jobs create --file -",
        "jobs validate --file -",
        "jobs update key:copy --file -",
        "jobs bulk-create --yes --file -",
        "jobs bulk-create --dry-run --file -",
        "dags create --file -",
        "dags validate --file -",
        "dags validate second --file -",
        "dags update second --file -",
    ],
)
def test_every_file_of_a_definition_names_followers(
    timegate: Timegate, dag: Callable[..., str], command: str
) -> None:
    """A file that one command takes means the same to the others."""
    other = dag("second", schedule={"kind": "manual"})
    whole = timegate(*NEW[:3], "first", *NEW[4:], "--json").json
    timegate(*NEW, "--key", "copy")
    then = {"then": [{"job_id": "Job/first", "on": ["succeeded"]}]}
    manual = {"name": "last", "schedule": {"kind": "manual"}}
    new = manual | (LOAD if command.startswith("dags") else {"action": whole["action"]}) | then
    written: object = then if "update" in command or "second" in command else new
    written = [written] if "bulk" in command else written
    words = [other if word == "second" else word for word in command.split()]
    outcome = timegate(*words, stdin=json.dumps(written))

    assert (outcome.unexpected, outcome.err, outcome.code) == (None, "", 0)


@pytest.mark.parametrize(
    "written",
    [
        *([], {"then": None}, {"then": 5}, {"then": ["Job/first"]}),
        *({"then": [{}]}, {"then": [{"job_id": 5}]}),
    ],
    ids=json.dumps,
)
@pytest.mark.parametrize("command", ["jobs create", "jobs update x", "dags create"])
def test_what_is_no_follower_is_refused_by_the_api(
    timegate: Timegate, written: object, command: str
) -> None:
    """The refusal names the field."""
    outcome = timegate(*command.split(), "--file", "-", stdin=json.dumps(written))

    assert (outcome.unexpected, outcome.code) == (None, 1)
    assert "[wrong_type]" in outcome.err or "[missing]" in outcome.err
