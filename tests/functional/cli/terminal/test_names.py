"""The name of a job or a DAG is taken wherever an id is, where one alone has it."""

import json
from collections.abc import Callable

import pytest

from tests.functional.cli.conftest import Outcome
from tests.functional.cli.served import served, timegate
from tests.support.world import World

__all__ = ["served", "timegate"]

Timegate = Callable[..., Outcome]
NAME = "nightly load"
MANUAL = ("--manual", "--webhook", "https://example.com/hook")
DAG = {
    "name": "release",
    "tasks": [{"key": "gate", "wait": {"kind": "approval", "seconds": 60}}],
    "edges": [],
}


@pytest.fixture
def load(served: World, timegate: Timegate) -> str:
    """The id of a job that has a name and no key."""
    found = timegate("jobs", "create", "--name", NAME, *MANUAL, "--json").json
    return str(found["job_id"])


@pytest.mark.parametrize(
    "words",
    [
        ("jobs", "get", NAME),
        ("jobs", "trigger", NAME),
        ("jobs", "pause", NAME),
        ("runs", "list", NAME),
        ("runs", "list", "--failed", "--job", NAME),
        ("runs", "redrive", "--failed", "--job", NAME, "--dry-run"),
        ("runs", "redrive", "--failed", "--job", NAME, "--yes"),
        ("runs", "cancel", "--pending", "--job", NAME, "--yes"),
        ("runs", "reschedule", "--pending", "--job", NAME, "--delay", "1h", "--yes"),
        ("dead-letters", "discard", "--job", NAME, "--yes"),
        ("freezes", "create", "--job", NAME, "--for", "1h"),
        ("jobs", "create", "--name", "first", *MANUAL, "--then", NAME),
    ],
    ids=" ".join,
)
def test_a_job_is_found_by_its_name(load: str, timegate: Timegate, words: tuple[str, ...]) -> None:
    """In a path, a query and a body: as if its id were said."""
    by_name, by_id = (
        timegate(*(text.replace(NAME, said) for text in words)) for said in (NAME, load)
    )

    assert (by_name.code, by_name.err) == (0, "")
    assert by_id.code == 0


def test_a_dag_is_found_by_its_name(served: World, timegate: Timegate) -> None:
    """A run of it begins."""
    made = timegate("dags", "create", "-f", "-", "--json", stdin=json.dumps(DAG)).json
    run = timegate("dags", "run", "release", "--json").json

    assert run["dag_id"] == made["dag_id"]


@pytest.mark.parametrize("command", ["jobs get", "jobs pause", "runs list", "jobs trigger"])
def test_a_name_may_have_slashes(served: World, timegate: Timegate, command: str) -> None:
    """They divide no path: the name is looked for before anything is asked of it."""
    name = "billing/nightly"
    timegate("jobs", "create", "--name", name, *MANUAL)
    found = timegate(*command.split(), name)
    missing = timegate(*command.split(), f"{name}/runs")

    assert (found.code, found.err) == (0, "")
    assert missing.err == f"error [job_not_found]: There is no job {name}/runs.\n"
