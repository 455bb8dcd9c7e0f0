"""``timegate dags``: from a file to the API, and back to tables and pictures."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

from tests.functional.cli.conftest import Outcome
from tests.functional.cli.served import served, timegate

__all__ = ["served", "timegate"]

Timegate = Callable[..., Outcome]

EXAMPLES = Path(__file__).resolve().parents[4] / "examples" / "dags"
DIAMOND = str(EXAMPLES / "diamond.json")


def created(timegate: Timegate, path: str = DIAMOND) -> str:
    """The id of a DAG that was created from a file."""
    return str(timegate("dags", "create", "-f", path, "--json").json["dag_id"])


def test_a_dag_lives_its_life_on_the_command_line(timegate: Timegate, tmp_path: Path) -> None:
    """Create, find, change, look back, delete; each is shown as it then is."""
    dag_id = created(timegate)
    changes = tmp_path / "changes.json"
    changes.write_text(json.dumps({"failure_policy": {"policy": "continue"}, "tags": {"a": "b"}}))
    updated = timegate("dags", "update", dag_id, "-f", str(changes), "--if-version", "1").out
    stale = timegate("dags", "update", dag_id, "-f", str(changes), "--if-version", "1")
    before = timegate("dags", "show", dag_id, "--version", "1").out
    listed = timegate("dags", "list").out
    deleted = timegate("dags", "delete", dag_id, "--if-version", "2").out
    versions = timegate("dags", "versions", dag_id, "--all", "--json").json
    gone = timegate("dags", "list", "--all").out
    there = timegate("dags", "list", "--status", "deleted", "--json").json

    assert "version 2" in updated
    assert "continue" in updated
    assert (stale.code, "version_mismatch" in stale.err) == (1, True)
    assert "retry, 2 times" in before
    assert f"\n{dag_id[:8]} " in listed
    assert "deleted" in deleted
    assert [row["version"] for row in versions["items"]] == [3, 2, 1]
    assert "No DAGs." in gone
    assert [row["dag_id"] for row in there["items"]] == [dag_id]


def test_a_dag_is_shown_with_what_each_task_waits_for(timegate: Timegate) -> None:
    """And on which ends of it, by which rule."""
    shown = timegate("dags", "show", created(timegate, str(EXAMPLES / "fan-out.json"))).out
    lines = {line.split()[0]: line for line in shown.splitlines() if line.strip()}

    assert "tasks.shops.result[?active]" in lines["each"]
    assert "worker etl/total" in lines["total"] or "etl" in lines["total"]
    assert "each (on failure)" in lines["alert"]
    assert "total (on finished), alert (on finished)" in lines["clean"]


def test_a_dag_is_shown_with_what_starts_and_follows_it(timegate: Timegate, tmp_path: Path) -> None:
    """And with the job of its own, by which it is paused; others have no such rows."""
    file = tmp_path / "dag.json"
    file.write_text(
        json.dumps(
            {
                **json.loads(Path(DIAMOND).read_text()),
                "schedule": {"kind": "cron", "cron": "0 2 * * *"},
                "notifications": [{"url": "https://example.com/alerts", "on": ["failed"]}],
            }
        )
    )
    shown = timegate("dags", "show", created(timegate, str(file))).out
    plain = timegate("dags", "show", created(timegate)).out

    assert "0 2 * * *" in shown
    assert "https://example.com/alerts on failed" in shown
    assert "notifies" not in plain


def test_the_same_key_creates_the_same_dag(timegate: Timegate) -> None:
    """However often the command is repeated."""
    command = ("dags", "create", "-f", DIAMOND, "--idempotency-key", "nightly", "--json")
    first, again = (timegate(*command).json["dag_id"] for _ in range(2))

    assert first == again


def test_a_valid_file_is_shown_by_levels(timegate: Timegate) -> None:
    """docs/reference/cli.md shows the same output."""
    outcome = timegate("dags", "validate", "-f", DIAMOND)
    page = (EXAMPLES.parents[1] / "docs" / "reference" / "cli.md").read_text()

    assert outcome.code == 0
    assert outcome.out.replace(" \n", "\n") in page
    assert "  load_dim load_fact\n" in outcome.out


@pytest.mark.parametrize(
    ("name", "in_braces"), [("dag.yaml", False), ("dag.json", False), ("dag", False), ("dag", True)]
)
def test_a_file_of_yaml_is_the_same_dag(
    timegate: Timegate, tmp_path: Path, name: str, in_braces: bool
) -> None:
    """By what it says, whatever its name: timegate apply reads it alike."""
    file = tmp_path / name
    dag = json.loads(Path(DIAMOND).read_text())
    told = "notifications: [{url: https://example.com/alerts, on: [failed]}]"
    tags = "tags: {country: no, since: 2026-11-21}"
    whole = f"# Every night\n{yaml.safe_dump(dag)}{told}\n{tags}\n"
    file.write_text(f"{{{told}, {tags}, {json.dumps(dag)[1:]}" if in_braces else whole)
    shown = [
        timegate("dags", "show", created(timegate, each), "--json").json
        for each in (DIAMOND, str(file))
    ]

    assert shown[0]["tasks"] == shown[1]["tasks"]
    # YAML 1.1 has truth values and dates here.
    assert shown[1]["notifications"][0]["on"] == ["failed"]
    assert shown[1]["tags"] == {"country": "no", "since": "2026-11-21"}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"name": "nightly",', "is neither JSON nor YAML"),
        ('{"name": "a", "name": "b"}', "has 'name' twice"),
        ("name: [nightly", "is neither JSON nor YAML"),
        ("name: a\nname: b", "has 'name' twice. It is written again in line 2"),
        ("nightly", "has no fields as YAML"),
        ("", "has no fields as YAML"),
        ("kind: Dag\nname: nightly\nspec: {}", "run timegate apply -f"),
        ('{"kind": "Dag", "name": "nightly", "spec": {}}', "run timegate apply -f"),
    ],
    ids=[
        "half",
        "JSON twice",
        "half of YAML",
        "twice",
        "a word",
        "nothing",
        "of apply",
        "of apply as JSON",
    ],
)
def test_a_file_that_is_none_of_both_is_refused(
    timegate: Timegate, tmp_path: Path, text: str, said: str
) -> None:
    """With what is wrong with it, and without a request."""
    file = tmp_path / "dag.yaml"
    file.write_text(text)
    outcome = timegate("dags", "create", "-f", str(file))

    assert outcome.code == 2
    assert said in " ".join(outcome.err.replace("│", " ").split())


def test_every_problem_of_a_file_is_said(timegate: Timegate, tmp_path: Path) -> None:
    """And the shell is told; the JSON is the API's."""
    path = tmp_path / "wrong.json"
    dag = json.loads(Path(DIAMOND).read_text())
    dag["edges"] += [{"source": "report", "target": "extract"}, {"source": "x", "target": "report"}]
    path.write_text(json.dumps(dag))
    said = timegate("dags", "validate", "-f", str(path))
    as_json = timegate("dags", "validate", "-f", str(path), "--json")
    refused = timegate("dags", "create", "-f", str(path))

    assert (said.code, as_json.code, refused.code) == (1, 1, 1)
    assert "  edges.7.source [unknown_task]: There is no task x." in said.err
    assert "[cycle]: These tasks wait for each other: extract → transform" in said.err
    assert as_json.json["valid"] is False
    assert refused.err.splitlines()[1:] == said.err.splitlines()[1:]


def test_a_stored_dag_is_validated_with_changes_or_without(
    timegate: Timegate, tmp_path: Path
) -> None:
    """The changed definition is not stored."""
    dag_id = created(timegate)
    changes = tmp_path / "changes.json"
    changes.write_text('{"tasks": []}')

    assert timegate("dags", "validate", dag_id).code == 0
    assert timegate("dags", "validate", dag_id, "-f", str(changes)).code == 1
    assert timegate("dags", "show", dag_id, "--json").json["version"] == 1
    assert timegate("dags", "validate").code == 2


def test_a_dag_is_drawn_for_other_programs(timegate: Timegate) -> None:
    """Nothing but the picture is printed."""
    dag_id = created(timegate)
    flowchart = timegate("dags", "graph", dag_id).out
    dot = timegate("dags", "graph", dag_id, "--format", "dot", "--version", "1").out
    data = timegate("dags", "graph", dag_id, "--json").json

    assert flowchart.startswith('flowchart LR\n    t0["extract"]\n')
    assert dot.startswith('digraph "diamond" {\n')
    assert data["text"] == flowchart


def test_one_problem_of_a_dag_is_told_as_one(timegate: Timegate) -> None:
    """In the answer and in the error."""
    task = {"key": "a", "wait": {"kind": "sleep", "seconds": 1}}
    definition = {"name": "d", "tasks": [task], "edges": [{"source": "x", "target": "a"}]}
    said = timegate("dags", "validate", "-f", "-", stdin=json.dumps(definition))

    assert said.out == "Not valid: 1 problem in 1 task, 1 edge.\n"
    assert "[invalid_dag]: 1 field is invalid." in said.err
