"""The beginning of an id is taken in paths, options and bodies, in front of the API itself."""

import json
from collections.abc import Callable

import pytest

from tests.functional.cli.conftest import Outcome
from tests.functional.cli.served import served, timegate
from tests.support.world import World

__all__ = ["served", "timegate"]

Timegate = Callable[..., Outcome]
URL = "https://hooks.example.com/x"
HOOK = f"--webhook {URL}"
GATE = {"tasks": [{"key": "gate", "wait": {"kind": "sleep", "seconds": 60}}], "edges": []}
#: Words in capitals stand for the beginnings of ids.
COMMANDS = [
    "jobs get JOB",
    "jobs ledger JOB --from 2026-11-21T07:00:00Z --to 2026-11-21T08:00:00Z",
    "runs list JOB",
    "runs failed --job JOB",
    "audit --resource job/JOB",
    "freezes create --job JOB --for 1h",
    f"jobs create --name a --manual --then JOB {HOOK}",
    "jobs create --name b --manual --dag DAG",
    "dags show DAG",
    "dags runs DAG",
    "dags status STARTED",
    "dags graph --run STARTED",
    "operations get PAUSE",
    "freezes get FREEZE",
]


@pytest.fixture
def short(timegate: Timegate, served: World) -> dict[str, str]:
    """The beginnings of the ids of one thing of each kind."""
    written = json.dumps({"name": "d", **GATE})
    dag = timegate("dags", "create", "-f", "-", "--json", stdin=written).json["dag_id"]
    made = timegate("jobs", "create", "--name", "n", "--every", "1h", *HOOK.split(), "--json")
    freeze = timegate("freezes", "create", "--everything", "--for", "1h", "--json").json
    started = timegate("dags", "run", dag, "--json").json
    paused = timegate("bulk", "pause", "--name", "n", "--json").json
    return {
        "JOB": made.json["job_id"][:8],
        "DAG": dag[:8],
        "STARTED": started["dag_run_id"][:8],
        "PAUSE": paused["operation_id"][:8],
        "FREEZE": freeze["freeze_id"][:-2],
    }


@pytest.mark.parametrize("command", COMMANDS)
def test_every_kind_of_id_has_beginnings(
    timegate: Timegate, short: dict[str, str], command: str
) -> None:
    """The API is asked again with the whole id."""
    for word, beginning in short.items():
        command = command.replace(word, beginning)
    outcome = timegate(*command.split())

    assert (outcome.code, outcome.err, outcome.unexpected) == (0, "", None)


@pytest.mark.parametrize(
    ("command", "code"),
    [
        ("calendars get office", "calendar_not_found"),
        ("calendars delete office --yes", "calendar_not_found"),
        ("rules get oncall", "rule_not_found"),
        ("keys revoke nosuch --yes", "api_key_not_found"),
    ],
)
def test_a_name_is_the_beginning_of_no_id(timegate: Timegate, command: str, code: str) -> None:
    """The API's refusal is shown where others of the kind are listed."""
    rule = {"when": {"failures_in_a_row": 3}, "channels": [{"type": "webhook", "url": URL}]}
    made = [
        timegate("calendars", "put", "officehours", "--day", "2026-12-24"),
        timegate("rules", "put", "oncallers", "--file", "-", stdin=json.dumps(rule)),
        timegate("keys", "create", "--key-name", "exports", "--scope", "read"),
    ]
    outcome = timegate(*command.split())

    assert [each.code for each in made] == [0, 0, 0]
    assert (outcome.unexpected, outcome.code) == (None, 1)
    assert f"error [{code}]" in outcome.err
