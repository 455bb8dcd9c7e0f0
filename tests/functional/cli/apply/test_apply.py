"""``timegate apply`` in front of the real API, whose stores are in memory."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.functional.cli.conftest import Outcome
from tests.functional.cli.served import served, timegate
from tests.support.world import World
from timegate.client import NotReachable
from timegate.declaring.stage import Stage, StoredDefinition

__all__ = ["served", "timegate"]

Timegate = Callable[..., Outcome]

NIGHTLY = """
kind: Calendar
name: holidays
spec: {weekdays: [sun], days: [{first: 2026-12-25}]}
---
kind: Job
name: report
spec:
  schedule: {kind: cron, cron: "0 9 * * 1-5", timezone: Europe/Berlin}
  action: {type: webhook, url: https://example.com/report}
  calendars: [{calendar: holidays}]
  then: [{job_id: Job/archive, "on": [succeeded]}]
---
kind: Job
name: archive
spec:
  schedule: {kind: cron, cron: "0 0 1 1 *"}
  action: {type: webhook, url: https://example.com/archive}
  payload: {job_id: Job/archive, at: 2026-11-21}
---
kind: Dag
name: pipeline
spec:
  tasks:
    - {key: extract, job_id: Job/archive}
    - {key: load, job: {action: {type: worker, pool: etl, handler: load}}}
  edges: [{source: extract, target: load}]
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "declared" / "nightly.yaml"
    path.parent.mkdir()
    path.write_text(NIGHTLY)
    return path


@pytest.fixture(autouse=True)
def declared(served: World, file: Path) -> World:
    return served


def verbs(outcome: Outcome) -> dict[str, str]:
    """Return the verb of each step."""
    return {f"{each['kind']}/{each['name']}": each["verb"] for each in outcome.json["steps"]}


def apply(timegate: Timegate, file: Path, *options: str) -> Outcome:
    return timegate("apply", "-f", str(file), "--yes", "--json", *options)


def test_what_is_declared_is_made_once(timegate: Timegate, file: Path) -> None:
    """Each after what it refers to; applied again, nothing is to be done."""
    first = apply(timegate, file)
    second = apply(timegate, file.parent)
    difference = timegate("diff", "-f", str(file))
    jobs = timegate("jobs", "list", "--json").json["items"]

    assert (first.code, first.err) == (0, "")
    assert list(verbs(first)) == ["Calendar/holidays", "Job/archive", "Job/report", "Dag/pipeline"]
    assert set(verbs(first).values()) == {"create"}
    assert set(verbs(second).values()) == {"keep"}
    assert (difference.code, difference.out.splitlines()[-1]) == (
        0,
        "0 to create, 0 to change, 0 to prune, 4 unchanged.",
    )
    assert sorted(job["name"] for job in jobs) == ["archive", "report"]


def test_a_union_is_made_once_and_changed_where_it_differs(timegate: Timegate, file: Path) -> None:
    """Defaults of members that a file leaves out are no difference."""
    member = 'schedule: {kind: cron, cron: "0 9 * * 1-5", timezone: Europe/Berlin}'
    several = """schedule:
    kind: union
    any_of:
      - {kind: cron, cron: "0 9 * * 1-5", timezone: Europe/Berlin}
      - {kind: rate, every_seconds: PT6H}
    max_runs: 9"""
    file.write_text(NIGHTLY.replace(member, several))
    first, second = apply(timegate, file), apply(timegate, file)
    file.write_text(NIGHTLY.replace(member, several.replace("PT6H", "PT7H")))
    changed = apply(timegate, file)

    assert (verbs(first)["Job/report"], set(verbs(second).values())) == ("create", {"keep"})
    assert verbs(changed)["Job/report"] == "change"


def test_a_task_that_waits_for_an_event_is_made_once(timegate: Timegate, file: Path) -> None:
    """Another correlation is a change; defaults that the file leaves out are none."""
    load = "    - {key: load, job: {action: {type: worker, pool: etl, handler: load}}}"
    wait = """    - key: load
      wait:
        kind: event
        seconds: PT1H
        event:
          type: order.paid
          correlation: {$ref: parameters.order}
          match: {amount: [{numeric: [">", 0]}]}"""
    file.write_text(NIGHTLY.replace(load, wait))
    first, second = apply(timegate, file), apply(timegate, file)
    file.write_text(NIGHTLY.replace(load, wait.replace("parameters.order", "parameters.id")))
    changed = apply(timegate, file)

    assert (verbs(first)["Dag/pipeline"], set(verbs(second).values())) == ("create", {"keep"})
    assert verbs(changed)["Dag/pipeline"] == "change"


def test_references_are_ids_and_a_payload_is_left_alone(timegate: Timegate, file: Path) -> None:
    """The target of the payload knows what it means."""
    apply(timegate, file)
    jobs = {job["name"]: job for job in timegate("jobs", "list", "--json").json["items"]}
    dag_id = timegate("dags", "list", "--json").json["items"][0]["dag_id"]
    dag = timegate("dags", "show", dag_id, "--json").json

    assert jobs["report"]["then"][0]["job_id"] == jobs["archive"]["job_id"]
    assert dag["tasks"][0]["job_id"] == jobs["archive"]["job_id"]
    assert jobs["archive"]["payload"] == {"job_id": "Job/archive", "at": "2026-11-21"}


def test_a_difference_is_shown_field_by_field_and_made(timegate: Timegate, file: Path) -> None:
    """Old and new; what a file no longer says has its default again."""
    apply(timegate, file)
    file.write_text(
        NIGHTLY.replace("0 9 * * 1-5", "0 10 * * 1-5")
        .replace("  calendars: [{calendar: holidays}]\n", "")
        .replace("weekdays: [sun]", "weekdays: [sat, sun]")
    )
    shown = timegate("diff", "-f", str(file))
    changed = apply(timegate, file)
    again = timegate("diff", "-f", str(file))

    assert shown.code == 5
    assert '    schedule.cron: "0 9 * * 1-5" → "0 10 * * 1-5"' in shown.out
    assert "    calendars: " in shown.out
    assert "+ " not in shown.out
    assert {key for key, verb in verbs(changed).items() if verb == "change"} == {
        "Calendar/holidays",
        "Job/report",
    }
    assert (changed.code, again.code) == (0, 0)


def test_a_dry_run_changes_nothing(timegate: Timegate, file: Path) -> None:
    """And says so by its code."""
    shown = timegate("apply", "-f", str(file), "--dry-run")

    assert shown.code == 5
    assert "+ Job/report would be created" in shown.out
    assert timegate("jobs", "list", "--json").json["items"] == []


def test_nothing_is_changed_while_anything_is_wrong(timegate: Timegate, file: Path) -> None:
    """The stage is asked about each document first, and every problem is shown."""
    text = NIGHTLY.replace("0 0 1 1 *", "0 0 31 2 *").replace("https://example.com/report", "x")
    file.write_text(text)
    refused = timegate("apply", "-f", str(file), "--yes")

    assert refused.code == 1
    assert "error [invalid_documents]: Nothing was changed" in refused.err
    assert "Job/archive schedule.cron [never_fires]" in refused.err
    assert "Job/report action.url" in refused.err
    assert timegate("calendars", "list", "--json").json["items"] == []


def test_what_vanished_from_the_files_is_ended_when_asked_for(
    timegate: Timegate, file: Path
) -> None:
    """Only this set is pruned; the returned job is another one."""
    apply(timegate, file)
    apply(timegate, file, "--set", "other")
    file.write_text(NIGHTLY[: NIGHTLY.index("---\nkind: Dag")])
    kept = timegate("diff", "-f", str(file))
    pruned = apply(timegate, file, "--prune")
    file.write_text(NIGHTLY)
    back = apply(timegate, file, "--prune")
    dags = timegate("dags", "list", "--json").json["items"]

    assert kept.code == 0
    assert verbs(pruned)["Dag/pipeline"] == "prune"
    assert verbs(back)["Dag/pipeline"] == "create"
    assert sorted(dag["tags"]["timegate-apply"] for dag in dags) == ["default", "other"]


def test_what_failed_leaves_out_what_needs_it_and_is_finished_later(
    timegate: Timegate, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Everything else is done."""
    create = Stage.create

    def fails_once(self: Stage, document: object, spec: dict[str, object]) -> dict[str, str]:
        if getattr(document, "name", "") == "archive":
            raise NotReachable("https://api.example.com", "gone")
        return create(self, document, spec)  # type: ignore[arg-type]

    monkeypatch.setattr(Stage, "create", fails_once)
    partly = timegate("apply", "-f", str(file), "--yes")
    monkeypatch.undo()
    finished = timegate("apply", "-f", str(file), "--yes", "--json")

    assert partly.code == 1
    assert "Job/archive failed [not_reachable]" in partly.out
    assert "Dag/pipeline left out: it needs Job/archive" in partly.out
    assert "error [not_applied]: 3 of 4" in partly.err
    assert finished.code == 0
    assert verbs(finished)["Calendar/holidays"] == "keep"


def test_a_change_of_another_caller_is_not_overwritten(
    timegate: Timegate, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between the comparison and the change."""
    apply(timegate, file)
    file.write_text(NIGHTLY.replace("0 9 * * 1-5", "0 10 * * 1-5"))
    update = Stage.update

    def after_another(self: Stage, known: StoredDefinition, changes: dict[str, object]) -> None:
        self.client.update_job(known.id, {"description": "mine"})
        update(self, known, changes)

    monkeypatch.setattr(Stage, "update", after_another)
    refused = timegate("apply", "-f", str(file), "--yes")

    assert refused.code == 1
    assert "Job/report failed [version_mismatch]" in refused.out


@pytest.mark.parametrize(
    ("text", "said"),
    [
        pytest.param("kind: Job", "[invalid_document]", id="no-name"),
        pytest.param("{kind: Job, name: a, spec: {}, more: 1}", "[invalid_document]", id="more"),
        pytest.param("{kind: Cron, name: a}", "[unknown_kind]", id="kind"),
        pytest.param("{kind: [Job], name: a}", "[unknown_kind]", id="kinds"),
        pytest.param("[{kind: Job, name: a}, {kind: Job, name: a}]", "[there_twice]", id="twice"),
        pytest.param("{kind: Job, name: a, spec: {name: b}}", "[there_twice]", id="name"),
        pytest.param(
            "{kind: Job, name: a, spec: {then: [{job_id: Job/b}]}}", "[unknown_reference]", id="ref"
        ),
        pytest.param(
            "{kind: Job, name: a, spec: {then: [{job_id: Job/a}]}}", "[cycle]", id="cycle"
        ),
        pytest.param("a: [", "[invalid_yaml]", id="yaml"),
        pytest.param("a: 1\na: 2", "  standard input a [there_twice]: It is", id="key"),
        pytest.param("a:\n\tb: 1", "in line 2, column 1: b: 1 ^ Indent by blanks", id="tab"),
    ],
)
def test_what_is_no_document_is_named(timegate: Timegate, text: str, said: str) -> None:
    """Before the stage is asked."""
    outcome = timegate("diff", "-f", "-", stdin=text)

    assert (outcome.code, outcome.unexpected) == (2, None)
    assert said in outcome.err


def test_without_a_terminal_nothing_is_asked(
    timegate: Timegate, file: Path, agreed: Callable[[], None]
) -> None:
    """A program says --yes; JSON files are as good as YAML."""
    agreed()
    content = [{"kind": "Calendar", "name": "office", "spec": {"weekdays": ["sat"]}}]
    file.with_suffix(".json").write_text(json.dumps(content))
    alone = timegate("apply", "-f", str(file.with_suffix(".json")))

    assert (alone.code, "error [confirmation_required]: " in alone.err) == (2, True)
    assert timegate("calendars", "list", "--json").json["items"] == []
    assert timegate("apply", "-f", str(file.with_suffix(".json")), "--yes").code == 0
    assert timegate("apply").code == 2
