"""Validating and drawing DAGs: nothing is stored, and everything is shown."""

import json
from pathlib import Path

import pytest

from tests.support.api import Api
from tests.support.factories import job_factory

EXAMPLES = Path(__file__).resolve().parents[4] / "examples" / "dags"
WORK = {"action": {"type": "worker", "pool": "etl", "handler": "work"}}
A, B = ({"key": key, "job": WORK} for key in "ab")
LINE = {"name": "line", "tasks": [A, B], "edges": [{"source": "a", "target": "b"}]}


def test_validating_stores_nothing(api: Api) -> None:
    """A valid DAG is answered with its levels: each holds tasks that could begin together."""
    diamond = json.loads((EXAMPLES / "diamond.json").read_text())
    right = api.send("POST", "/v1/dags/validate", diamond).body
    wrong = api.send("POST", "/v1/dags/validate", {**LINE, "tasks": [A]}).body

    assert right.pop("definition")["name"] == diamond["name"]
    assert right == {
        "valid": True,
        "task_count": 6,
        "edge_count": 6,
        "levels": [
            ["extract"],
            ["transform"],
            ["load_dim", "load_fact"],
            ["aggregate"],
            ["report"],
        ],
        "errors": [],
    }
    assert (wrong["valid"], wrong["levels"], wrong["errors"][0]["code"]) == (
        False,
        [],
        "unknown_task",
    )
    assert api.send("GET", "/v1/dags").body["items"] == []


def test_a_stored_dag_is_validated_as_things_are_now(api: Api) -> None:
    """The stored definition is validated, or the one that changes would give."""
    api.world.jobs.create(job_factory())
    body = {"name": "x", "tasks": [{"key": "a", "job_id": job_factory().job_id}]}
    path = api.send("POST", "/v1/dags", body).headers["location"]
    before = api.send("POST", f"{path}/validate").body
    api.send("DELETE", f"/v1/jobs/{job_factory().job_id}")
    after = api.send("POST", f"{path}/validate").body
    changed = api.send("POST", f"{path}/validate", {"tasks": [A]}).body

    assert [each["valid"] for each in (before, after, changed)] == [True, False, True]
    assert after["errors"][0]["code"] == "cancelled_job"
    assert api.send("GET", path).body["version"] == 1


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.json")), ids=lambda path: path.stem)
def test_every_example_is_in_order(api: Api, path: Path) -> None:
    """It is created as it is, drawn in each language, and read again."""
    created = api.send("POST", "/v1/dags", json.loads(path.read_text()))
    drawn = {
        language: api.send("GET", f"{created.headers['location']}/graph?format={language}").body
        for language in ("json", "mermaid", "dot")
    }

    assert created.status == 201
    assert drawn["json"]["text"] is None
    assert drawn["mermaid"]["text"].startswith("flowchart LR\n")
    assert drawn["dot"]["text"].startswith(f'digraph "{created.body["name"]}" {{')
    assert [node["key"] for node in drawn["dot"]["nodes"]] == [
        task["key"] for task in created.body["tasks"]
    ]
    assert drawn["dot"]["edges"] == created.body["edges"]


def test_an_earlier_version_is_drawn_as_it_was(api: Api) -> None:
    """By its number."""
    path = api.send("POST", "/v1/dags", LINE).headers["location"]
    api.send("PATCH", path, {"tasks": [A], "edges": []})
    drawn = [api.send("GET", f"{path}/graph?version={n}").body for n in (1, 2)]

    assert [len(graph["nodes"]) for graph in drawn] == [2, 1]
