"""``timegate import celery``: entries of beat become runs of a pool's handlers."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.functional.cli.apply.test_imports import Timegate, documents, imported
from tests.functional.cli.conftest import Outcome
from tests.functional.cli.migrating.kubernetes.manifests import only, warned
from tests.functional.cli.served import served, timegate

__all__ = ["served", "timegate"]

POOL = ("--pool", "celery")
DAILY = "<crontab: 30 2 * * * (m/h/dM/MY/d)>"


def entry(**changes: Any) -> dict[str, Any]:  # noqa: ANN401 - any field
    """A task at 02:30."""
    return {"task": "acme.tasks.report", "schedule": DAILY, **changes}


def read(
    timegate: Timegate,
    path: Path,
    *options: str,
    **entries: Any,  # noqa: ANN401
) -> Outcome:
    """Import entries, in UTC and to a pool unless options say otherwise."""
    text = json.dumps(entries, indent=1)
    return imported(timegate, path, "celery", text, "--timezone", "UTC", *(options or POOL))


def test_an_entry_becomes_a_run_of_its_task(timegate: Timegate, tmp_path: Path) -> None:
    """The task is the handler; beat sends it once, and its retries are its own."""
    outcome = read(timegate, tmp_path, nightly=entry(args=[1], kwargs={"kind": "daily"}))

    assert outcome.code == 0
    assert only(outcome) == {
        "schedule": {"kind": "cron", "cron": "30 2 * * *"},
        "action": {"type": "worker", "pool": "celery", "handler": "acme.tasks.report"},
        "payload": {"task": "acme.tasks.report", "args": [1], "kwargs": {"kind": "daily"}},
        "retry": {"max_attempts": 1},
        "timeout_seconds": 86_400,
        "catch_up": {"policy": "latest"},
    }
    assert warned(outcome) == []


def test_options_decide_over_the_task(timegate: Timegate, tmp_path: Path) -> None:
    """A handler for all, or an action with marks."""
    handler = read(timegate, tmp_path, *POOL, "--handler", "any", nightly=entry())
    url = ("--action-url", "https://a.example/{task}/{name}", "--payload", '["{args}", "{kwargs}"]')
    hook = only(read(timegate, tmp_path, *url, nightly=entry(args=["x"])))

    assert only(handler)["action"]["handler"] == "any"
    assert hook["action"]["url"] == "https://a.example/acme.tasks.report/nightly"
    assert hook["payload"] == [["x"], {}]
    assert (hook["timeout_seconds"], hook["resource_class"]) == (840, "long")


def test_what_is_imported_can_be_applied(timegate: Timegate, tmp_path: Path) -> None:
    """The API takes patterns and rates."""
    first_monday = "<crontab: 0 9 1-7 * mon (m/h/dM/MY/d)>"
    outcome = read(
        timegate, tmp_path, a=entry(), b=entry(schedule=30.0), c=entry(schedule=first_monday)
    )
    path = tmp_path / "jobs.yaml"
    path.write_text(outcome.out)

    assert timegate("apply", "-f", str(path), "--yes").code == 0
    assert timegate("diff", "-f", str(path)).code == 0


def test_what_no_job_has_is_listed(timegate: Timegate, tmp_path: Path) -> None:
    """Options of a task that are set, and other fields."""
    options = {"queue": "slow", "expires": 60, "priority": None}
    outcome = read(timegate, tmp_path, nightly=entry(options=options, relative=True))

    assert "Not carried over: relative, options.queue, options.expires." in outcome.err


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (entry(task=None), "[no_action]: It names no task."),
        (entry(task="x" * 65), "A handler's name has"),
        (entry(args="(1, 2)"), "[wrong_type]: args must be a list"),
        (entry(kwargs=[1]), "[wrong_type]"),
        (entry(schedule="<solar: sunset at latitude 1, longitude: 2>"), "[solar]"),
        (entry(schedule="<acme.Custom object at 0x7f>"), "[invalid_schedule]"),
        (entry(schedule=None), "[invalid_schedule]"),
        (entry(schedule=True), "[invalid_schedule]"),
        (entry(schedule=0.5), "[out_of_range]"),
        (entry(schedule="datetime.timedelta(days=-1)"), "[invalid_schedule]"),
        (entry(schedule="datetime.timedelta(microseconds=5)"), "[out_of_range]"),
        ("text", "[invalid_schedule]"),
    ],
)
def test_an_entry_is_refused_alone(
    timegate: Timegate,
    tmp_path: Path,
    wrong: Any,  # noqa: ANN401
    said: str,
) -> None:
    """Its own line is named, and the other one is written all the same."""
    outcome = read(timegate, tmp_path, wrong=wrong, right=entry())

    assert (outcome.code, set(documents(outcome))) == (1, {"right"})
    assert "line 2 wrong: refused" in outcome.err
    assert said in outcome.err


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "7", "{a: 1}", '{"a": 1} {}', '{"a": 1, "a": 2}', '{"a": NaN}']
)
def test_other_text_is_refused_whole(timegate: Timegate, tmp_path: Path, text: str) -> None:
    """Nothing is written."""
    outcome = imported(timegate, tmp_path, "celery", text, *POOL)

    assert (outcome.code, outcome.out) == (2, "")
