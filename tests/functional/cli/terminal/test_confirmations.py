"""Commands that end something, or change many things, ask first at a terminal."""

import json
import sys
from collections.abc import Callable
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from tests.functional.cli.conftest import Outcome
from tests.functional.cli.served import served, timegate
from tests.support.world import World
from timegate.cli.terminal.agreeing import NotAgreed, YesOption
from timegate.client import ApiCall
from timegate.client.sending import Sender
from timegate.domain.jobs.job import JobStatus

__all__ = ["served", "timegate"]

Timegate = Callable[..., Outcome]

ENDING = [
    ("jobs", "cancel", "JOB"),
    ("runs", "cancel", "RUN"),
    ("calendars", "delete", "office"),
    ("dags", "delete", "DAG"),
    ("freezes", "lift", "FREEZE"),
    ("dead-letters", "discard", "--all"),
    ("dead-letters", "redrive", "--all"),
    ("bulk", "pause", "--all"),
    ("bulk", "resume", "--all"),
    ("bulk", "cancel", "--all"),
]
STEP = {"key": "a", "job": {"action": {"type": "worker", "pool": "p", "handler": "h"}}}


@pytest.fixture
def there(timegate: Timegate, served: World) -> dict[str, str]:
    """One thing of each kind, which a question names."""
    target = ("--pool", "p", "--handler", "h", "--json")
    made = timegate("jobs", "create", "--name", "n", "--delay", "1h", *target).json["job_id"]
    served.settle()
    run = timegate("jobs", "trigger", made, "--delay", "1h", "--json").json["run_id"]
    body = json.dumps({"name": "d", "tasks": [STEP], "edges": []})
    timegate("calendars", "put", "office", "--weekday", "sun")
    return {
        "JOB": made,
        "RUN": run,
        "DAG": timegate("dags", "create", "-f", "-", "--json", stdin=body).json["dag_id"],
        "FREEZE": timegate(*("freezes", "create", "--tag", "a=b", "--for", "1h", "--json")).json[
            "freeze_id"
        ],
    }


@pytest.fixture
def at_a_terminal(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A person who says no, and the questions that were asked."""
    asked: list[str] = []

    def agree(self: YesOption, question: str | Callable[[], str]) -> None:
        if not self.yes:
            asked.append(question if isinstance(question, str) else question())
            raise SystemExit(1)

    monkeypatch.setattr(YesOption, "agree", agree)
    return asked


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Methods and paths of the calls that change something."""
    found: list[str] = []
    send = Sender.send

    def record(self: Sender, call: ApiCall[Any]) -> Any:  # noqa: ANN401 - any answer
        if call.method != "GET":
            found.append(f"{call.method} {call.path}")
        return send(self, call)

    monkeypatch.setattr(Sender, "send", record)
    return found


@pytest.mark.parametrize("words", ENDING, ids=" ".join)
def test_it_asks_first(
    timegate: Timegate,
    there: dict[str, str],
    sent: list[str],
    at_a_terminal: list[str],
    words: tuple[str, ...],
) -> None:
    """A no changes nothing; ``--yes`` asks nothing."""
    sent.clear()
    command = [there.get(word, word) for word in words]
    shown = timegate(*command, "--dry-run")
    refused = timegate(*command)
    before = list(sent)
    done = timegate(*command, "--yes")

    assert (shown.code, refused.code, before) == (0, 1, [])
    assert len(at_a_terminal) == 1
    assert at_a_terminal[0].endswith("?")
    assert (done.code, len(sent)) == (0, 1)


def test_the_question_is_asked_at_a_terminal_alone(
    monkeypatch: pytest.MonkeyPatch, agreed: Callable[[], None]
) -> None:
    """A script says ``--yes``; what has to be computed for a question is not computed."""
    agreed()
    said: list[str] = []

    def computed() -> str:
        said.append("computed")
        return "End it?"

    monkeypatch.setattr("typer.confirm", lambda question, **_: said.append(question))
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(isatty=lambda: False))
    with pytest.raises(NotAgreed) as refused:
        YesOption(yes=False).agree(computed)
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(isatty=lambda: True))
    for yes in (False, True):
        YesOption(yes=yes).agree(computed)

    assert said == ["computed", "End it?"]
    assert refused.value.code == "confirmation_required"


def test_a_bulk_change_is_looked_at_first(timegate: Timegate, served: World) -> None:
    """Jobs that match by every criterion are counted, and nothing is changed."""
    for number, tag in enumerate(["ops", "ops", "docs"]):
        target = ("--manual", "--pool", "p", "--handler", "h")
        timegate("jobs", "create", "--name", f"job {number}", "--tag", f"team={tag}", *target)
    ended = timegate("jobs", "list", "--json").json["items"][-1]["job_id"]
    shown = timegate("bulk", "cancel", "--tag", "team=ops", "--dry-run")
    timegate("jobs", "cancel", ended)
    counted = timegate("bulk", "cancel", "--all", "--dry-run", "--json").json
    nothing = timegate("bulk", "cancel", "--dry-run")
    operations = timegate("operations", "list", "--json").json["items"]

    assert shown.out.splitlines()[-1] == "2 jobs match. Nothing was changed."
    assert "job 1" in shown.out
    assert (counted["matched"], len(counted["first"])) == (2, 2)
    assert ended not in {each["job_id"] for each in counted["first"]}
    assert (nothing.code, operations) == (2, [])


def test_a_bulk_cancel_counts_completed_jobs(timegate: Timegate, served: World) -> None:
    """It ends them for good; neither a pause nor a resume changes them."""
    target = ("--pool", "p", "--handler", "h", "--json")
    done = timegate("jobs", "create", "--name", "once", "--delay", "1m", *target).json["job_id"]
    (job,) = served.tables.jobs.values()
    timing = replace(job.timing, status=JobStatus.COMPLETED, next_run_at=None)
    served.tables.put_job(replace(job, timing=timing))
    shown = {
        kind: timegate("bulk", kind, "--all", "--dry-run", "--json").json["matched"]
        for kind in ("pause", "resume", "cancel")
    }
    timegate("bulk", "cancel", "--all", "--yes")
    served.operate()

    assert shown == {"pause": 0, "resume": 0, "cancel": 1}
    assert served.jobs.get(job.tenant, done).timing.status is JobStatus.CANCELLED
