"""Event triggers in files of ``timegate apply``."""

from pathlib import Path
from typing import Any

import pytest

from tests.functional.cli.apply.test_apply import Timegate, apply, declared, file, verbs
from tests.functional.cli.served import served, timegate

__all__ = ["declared", "file", "served", "timegate"]

TRIGGERS = """
kind: EventTrigger
name: orders
spec:
  pattern: {type: [order.paid]}
  starts: {type: job, job_id: Job/invoice}
---
kind: Job
name: invoice
spec:
  schedule: {kind: manual}
  action: {type: webhook, url: https://example.com/invoice}
---
kind: EventTrigger
name: deployments
spec:
  hook: {secret: {ssm_parameter: /timegate-target/acme/k}}
  starts: {type: dag_run, dag_id: Dag/release}
---
kind: Dag
name: release
spec:
  tasks:
    - {key: load, job: {action: {type: worker, pool: etl, handler: load}}}
"""


def triggers(timegate: Timegate) -> dict[str, Any]:
    """Return the stage's triggers by their names."""
    items = timegate("event-triggers", "list", "--json").json["items"]
    return {each["name"]: each for each in items}


def test_triggers_are_declared_as_jobs_are(timegate: Timegate, file: Path) -> None:
    """After what they start; applied again, nothing is to be done."""
    file.write_text(TRIGGERS)
    first = apply(timegate, file)
    second = apply(timegate, file)
    found = triggers(timegate)
    (job,) = timegate("jobs", "list", "--json").json["items"]

    assert (first.code, first.err) == (0, "")
    assert set(verbs(first).values()) == {"create"}
    assert set(verbs(second).values()) == {"keep"}
    assert found["orders"]["starts"]["job_id"] == job["job_id"]
    assert found["deployments"]["hook"]["path"].startswith("/v1/hooks/")
    assert {each["version"] for each in found.values()} == {1}
    assert {each["tags"]["timegate-apply"] for each in found.values()} == {"default"}


@pytest.mark.parametrize(
    ("job", "dag"),
    [
        (", payload: null", ", parameters: null"),
        (", payload_patch: {a: 1}", ", parameters: {x: {$ref: event.id}}"),
        (", payload: {a: {$ref: event.id}}, priority: high, tags: {a: b}", ""),
        (", payload: {$ref: event}, payload_patch: null, priority: null, tags: {}", ""),
    ],
)
def test_each_form_is_kept_once_it_is_applied(
    timegate: Timegate, file: Path, job: str, dag: str
) -> None:
    """Defaults that are written out are no difference."""
    text = TRIGGERS.replace("Job/invoice}", f"Job/invoice{job}}}")
    file.write_text(text.replace("Dag/release}", f"Dag/release{dag}}}"))
    apply(timegate, file)
    second = apply(timegate, file)

    assert (second.code, set(verbs(second).values())) == (0, {"keep"})


def test_a_change_keeps_the_address_of_a_web_hook(timegate: Timegate, file: Path) -> None:
    """A paused trigger stays paused."""
    file.write_text(TRIGGERS)
    apply(timegate, file)
    before = timegate("event-triggers", "pause", "deployments", "--json").json
    file.write_text(TRIGGERS.replace("acme/k", "acme/other").replace("order.paid", "order.sent"))
    changed = apply(timegate, file)
    after = triggers(timegate)

    assert {verbs(changed)[f"EventTrigger/{name}"] for name in after} == {"change"}
    assert after["deployments"]["hook"]["path"] == before["hook"]["path"]
    assert after["deployments"]["hook"]["secret"]["ssm_parameter"].endswith("/other")
    assert after["deployments"]["status"] == "paused"
    assert after["orders"]["pattern"] == {"type": ["order.sent"]}


def test_triggers_that_left_their_files_are_pruned(timegate: Timegate, file: Path) -> None:
    """Before what they start; a person's own trigger stays."""
    file.write_text(TRIGGERS)
    apply(timegate, file)
    (job,) = timegate("jobs", "list", "--json").json["items"]
    timegate("event-triggers", "put", "by-hand", "--job", job["job_id"])
    file.write_text(TRIGGERS.partition("---")[2].partition("---")[0])
    pruned = apply(timegate, file, "--prune")

    assert [key for key, verb in verbs(pruned).items() if verb == "prune"] == [
        "EventTrigger/deployments",
        "EventTrigger/orders",
        "Dag/release",
    ]
    assert list(triggers(timegate)) == ["by-hand"]


def test_a_wrong_trigger_is_refused_before_anything_changes(timegate: Timegate, file: Path) -> None:
    """With the others of its files."""
    file.write_text(TRIGGERS.replace("{type: [order.paid]}", "{type: [{regex: x}]}"))
    refused = timegate("apply", "-f", str(file), "--yes")

    assert refused.code == 1
    assert "EventTrigger/orders pattern.type.0 [unknown_operator]" in refused.err
    assert timegate("jobs", "list", "--json").json["items"] == []
