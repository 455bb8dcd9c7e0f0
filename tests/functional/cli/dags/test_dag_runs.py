"""``timegate dags``, as far as it is about runs: operators, pictures, and following one."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.functional.cli.conftest import Outcome, Terminal
from tests.functional.cli.fake_api import FakeApi, ok, picture
from tests.functional.cli.samples import answered

Timegate = Callable[..., Outcome]
RUN = "a" * 26
AT = "2026-11-21T07:00:00.000Z"


def task_of(key: str, state: str, **fields: object) -> dict[str, Any]:
    """A task, as the API shows it."""
    plain = {
        "key": key,
        "name": key,
        "state": state,
        "round": 1,
        "reason": None,
        "attempts": 1,
        "started_at": AT if state != "pending" else None,
        "ended_at": AT if state not in {"pending", "running"} else None,
    }
    return answered("getDagRun", "tasks", 0, **(plain | fields))


def changed(task: dict[str, Any]) -> dict[str, Any]:
    """A run of which an operator changed a task."""
    return answered("completeDagTask", dag_run_id=RUN, task=task)


def run_of(status: str, *tasks: dict[str, Any]) -> dict[str, Any]:
    """A DAG run, as the API shows it."""
    ended = [task for task in tasks if task["ended_at"] is not None]
    over = status not in {"opening", "running", "reopening", "stopping"}
    return answered(
        "getDagRun",
        dag_run_id=RUN,
        dag_id="b" * 26,
        dag_version=1,
        status=status,
        reason=None,
        round=1,
        task_count=len(tasks),
        ended_count=len(ended),
        created_at=AT,
        deadline_at=AT,
        ended_at=AT if over else None,
        tasks=list(tasks),
    )


STORY = [
    run_of("running", task_of("a", "running"), task_of("b", "pending")),
    run_of("running", task_of("a", "running"), task_of("b", "pending")),
    run_of("running", task_of("a", "succeeded"), task_of("b", "running")),
    run_of("failed", task_of("a", "succeeded"), task_of("b", "failed", reason="permanent")),
]


def test_a_run_is_followed_by_lines_where_there_is_no_terminal(
    api: FakeApi, terminal: Terminal
) -> None:
    """One for every change; the shell is told that it failed."""
    api.will(*map(ok, STORY))
    outcome = terminal.run("dags", "watch", RUN)

    assert outcome.code == 4
    assert [line.partition(" ")[2].partition(" ")[2] for line in outcome.out.splitlines()] == [
        "a running, round 1",
        "running, 0 of 2 tasks",
        "a succeeded, round 1",
        "b running, round 1",
        "running, 1 of 2 tasks",
        "b failed, round 1 (permanent)",
        "failed, 2 of 2 tasks",
    ]
    assert terminal.slept == [1.0, 1.0, 1.0]


ENDS = {"succeeded": 0, "failed": 4, "cancelled": 4, "timed_out": 4}


@pytest.mark.parametrize(("status", "code"), ENDS.items(), ids=ENDS)
def test_the_shell_is_told_how_it_ended(
    api: FakeApi, timegate: Timegate, status: str, code: int
) -> None:
    """And with --json only the end is printed."""
    end = run_of(status, task_of("a", "succeeded"))
    api.will(ok(STORY[0]), ok(end))
    outcome = timegate("dags", "watch", RUN, "--json", "--interval", "2s")

    assert (outcome.code, outcome.json) == (code, end)


def test_a_run_that_is_waited_for_is_followed_to_its_end(api: FakeApi, timegate: Timegate) -> None:
    """``dags watch`` does the same."""
    api.will(ok(answered("startDagRun", dag_run_id=RUN), 202), *map(ok, STORY))
    outcome = timegate("dags", "run", "b" * 26, "--wait")

    assert api.asked == [f"POST /v1/dags/{'b' * 26}/runs", *[f"GET /v1/dag-runs/{RUN}"] * 4]
    assert outcome.code == 4
    assert outcome.out.splitlines()[-1].endswith(" failed, 2 of 2 tasks")


def test_patience_ends(api: FakeApi, timegate: Timegate) -> None:
    """A run that goes on has not succeeded."""
    api.will(ok(STORY[0]))
    outcome = timegate("dags", "watch", RUN, "--timeout", "3s")

    assert outcome.code == 4
    assert "[not_ended]" in outcome.err


def test_a_person_approves_or_rejects_with_a_note(api: FakeApi, timegate: Timegate) -> None:
    """The table says who decided; without a note none is sent."""
    done = {"kind": "approve", "by": "ann", "at": AT, "reason": "checked", "members": None}
    api.will(ok(changed(task_of("gate", "succeeded", intervention=done)), 202))
    said = timegate("dags", "approve", RUN, "gate", "--note", "checked")
    timegate("dags", "reject", RUN, "gate", "--idempotency-key", "k")

    assert "approve by ann: checked" in said.out
    assert api.asked == [f"POST /v1/dag-runs/{RUN}/tasks/gate/decide"] * 2
    assert [json.loads(call.content) for call in api.calls] == [
        {"decision": "approve", "note": "checked"},
        {"decision": "reject"},
    ]
    assert api.calls[1].headers["idempotency-key"] == "k"


def test_a_caller_answers_in_the_place_of_an_event(api: FakeApi, timegate: Timegate) -> None:
    """With data as JSON, or without any."""
    done = {"kind": "signal", "by": "ann", "at": AT, "reason": "cash", "members": None}
    api.will(ok(changed(task_of("paid", "succeeded", intervention=done)), 202))
    said = timegate("dags", "signal", RUN, "paid", "--data", '{"amount": 42}', "--note", "cash")
    timegate("dags", "signal", RUN, "paid")

    assert "signal by ann: cash" in said.out
    assert api.asked == [f"POST /v1/dag-runs/{RUN}/tasks/paid/signal"] * 2
    assert [json.loads(call.content) for call in api.calls] == [
        {"data": {"amount": 42}, "note": "cash"},
        {},
    ]


def test_operators_say_what_is_to_be_done_and_why(api: FakeApi, timegate: Timegate) -> None:
    """With the result as JSON, which may be null."""
    done = {"kind": "complete", "by": "ops", "at": AT, "reason": "by hand"}
    api.will(ok(changed(task_of("a", "succeeded", intervention={**done, "members": None})), 202))
    said = timegate("dags", "complete", RUN, "a", "--result", "null", "--reason", "by hand")
    timegate("dags", "complete", RUN, "a", "--result", '{"rows": 1}', "--idempotency-key", "k")
    timegate("dags", "skip", RUN, "a")
    timegate("dags", "rerun", RUN, "a", "--scope", "task")

    assert "complete by ops: by hand" in said.out
    assert api.asked == [
        f"POST /v1/dag-runs/{RUN}/tasks/a/{what}"
        for what in ("complete", "complete", "skip", "rerun")
    ]
    assert [json.loads(call.content) for call in api.calls] == [
        {"reason": "by hand", "result": None},
        {"result": {"rows": 1}},
        {},
        {"scope": "task"},
    ]
    assert api.calls[1].headers["idempotency-key"] == "k"


MEMBERS = {
    "failed": "failed",
    "3": [3],
    "17-19,3, 18": [3, 17, 18, 19],
}


@pytest.mark.parametrize(("text", "sent"), MEMBERS.items(), ids=MEMBERS)
def test_members_of_a_fan_out_are_named_by_number(
    api: FakeApi, timegate: Timegate, text: str, sent: object
) -> None:
    """Or by what became of them; by each of the three commands."""
    members = {"width": 9, "succeeded": 2, "failed": 6, "failed_numbers": [*range(6)], "skipped": 1}
    done = {"kind": "skip", "by": "ops", "at": AT, "reason": None, "members": [3]}
    task = task_of("a", "running", intervention=done, members=members)
    api.will(ok(changed(task), 202))
    said = [timegate("dags", what, RUN, "a", "--members", text) for what in ("skip", "complete")]
    timegate("dags", "rerun", RUN, "a", "--scope", "task", "--members", text)

    assert [json.loads(call.content) for call in api.calls] == [
        {"members": sent},
        {"members": sent},
        {"members": sent, "scope": "task"},
    ]
    assert "skip 1 members by ops" in said[0].out


@pytest.mark.parametrize("text", ["", "a", "1-", "1;2", "-1", "1000", "3,19-17"])
def test_what_names_no_members_is_a_mistake(api: FakeApi, timegate: Timegate, text: str) -> None:
    """Before anything is sent."""
    assert timegate("dags", "rerun", RUN, "a", "--members", text).code == 2
    assert api.calls == []


def test_a_chart_is_printed_or_written_to_a_file(
    api: FakeApi, timegate: Timegate, tmp_path: Path
) -> None:
    """Text, full JSON and SVG are chosen by an option or by the file's name."""
    path = tmp_path / "run.svg"
    api.will(picture())
    printed = timegate("dags", "gantt", RUN, "--svg")
    written = timegate("dags", "gantt", RUN, "--to", str(path), "--tz", "Asia/Tokyo")
    refused = timegate("dags", "gantt", RUN, "--svg", "--to", str(tmp_path / "no" / "run.svg"))
    asked = api.asked
    api.will(ok(answered("drawDagRunGantt", format="json", text=None, rows=[])))
    as_json = timegate("dags", "gantt", RUN, "--format", "json", "--utc")

    assert printed.out == path.read_text() == "<svg/>\n"
    assert (written.out, refused.code) == ("", 2)
    assert as_json.json["rows"] == []
    assert asked[:2] == [
        f"GET /v1/dag-runs/{RUN}/gantt.svg",
        f"GET /v1/dag-runs/{RUN}/gantt.svg?tz=Asia%2FTokyo",
    ]
    assert api.asked[-1] == f"GET /v1/dag-runs/{RUN}/gantt?format=json&tz=UTC"


@pytest.mark.parametrize(
    ("words", "asked"),
    [
        (["--run", "--scheme", "dark"], f"/v1/dag-runs/{RUN}/graph.svg?scheme=dark"),
        (["--version", "2"], f"/v1/dags/{RUN}/graph.svg?version=2"),
    ],
)
def test_a_graph_is_written_where_it_is_asked_for(
    api: FakeApi, timegate: Timegate, tmp_path: Path, words: list[str], asked: str
) -> None:
    """A picture of a run, or of a DAG; nothing is printed then."""
    api.will(picture())
    file = tmp_path / "graph.svg"
    outcome = timegate("dags", "graph", RUN, *words, "--to", str(file))

    assert (outcome.code, outcome.out) == (0, "")
    assert file.read_text() == "<svg/>\n"
    assert api.asked == [f"GET {asked}"]


def test_what_is_no_picture_is_not_written(
    api: FakeApi, timegate: Timegate, tmp_path: Path
) -> None:
    """Such as the page of a proxy that answers in the place of the API."""
    api.will(httpx.Response(200, text="<html>", headers={"content-type": "text/html"}))
    file = tmp_path / "graph.svg"
    outcome = timegate("dags", "graph", RUN, "--run", "--to", str(file))

    assert outcome.code != 0
    assert "gave no image/svg+xml" in outcome.err
    assert not file.exists()


def test_the_graph_of_a_run_is_drawn_with_its_states(api: FakeApi, timegate: Timegate) -> None:
    """A run keeps to its version: naming another one is a mistake."""
    api.will(ok(answered("drawDagRun", text="flowchart LR\n")))
    drawn = timegate("dags", "graph", RUN, "--run")
    refused = timegate("dags", "graph", RUN, "--run", "--version", "2")

    assert drawn.out == "flowchart LR\n"
    assert api.asked == [f"GET /v1/dag-runs/{RUN}/graph?format=mermaid"]
    assert refused.code == 2


@pytest.mark.parametrize(
    "said", ['{"day": 21}', "@day.yaml", "day.yaml", "-"], ids=["json", "@file", "path", "stdin"]
)
def test_parameters_are_json_or_a_file(
    api: FakeApi, timegate: Timegate, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, said: str
) -> None:
    """The forms are those of a payload; a bare path works too."""
    monkeypatch.chdir(tmp_path)
    Path("day.yaml").write_text("day: 21\n")
    api.will(ok(answered("startDagRun"), 202))
    outcome = timegate("dags", "run", "a" * 26, "--parameters", said, stdin='{"day": 21}')

    assert outcome.code == 0
    assert json.loads(api.calls[-1].content) == {"parameters": {"day": 21}}
