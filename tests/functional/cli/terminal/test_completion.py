"""The shell completes every kind of name that a parameter takes, from what the stage has."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any
from zoneinfo import available_timezones

import pytest

from tests.functional.cli.conftest import Outcome
from tests.functional.cli.fake_api import FakeApi
from tests.functional.cli.served import served, timegate
from tests.functional.cli.terminal.test_command_tree import TREE
from tests.support.world import World
from timegate.cli.completing import checkout_words, known_words, reading, stage_names, words_of_jobs
from timegate.client import NotReachable, TimegateClient
from timegate.client.schemas import Tenant

__all__ = ["served", "timegate"]

Timegate = Callable[..., Outcome]
Complete = Callable[..., list[tuple[str, str]]]

#: Placeholders of values that name nothing: instants, numbers, texts, files, and what AWS has.
VALUES = {
    *(
        "INSTANT",
        "WHEN",
        "YYYY-MM",
        "TIME|DURATION",
        "DURATION",
        "HH:MM",
        "[DAYS ]HH:MM-HH:MM",
    ),
    *("DAY[..DAY]", "DAYS", "N", "COUNT", "NUMBERS", "STATUS", "N/s|min|h", "TEXT", "WORD"),
    *("PATH", "PATH|-", "PATH|DIR|-", "FILE", "FILE|-", "FILE.py", "FILE.py|MODULE:WORKER"),
    *("JSON", "JSON|@FILE", "JSON|@FILE|-", "POINTER", "PATTERN", "RULE", "METHOD", "json"),
    *("URL", "ARN", "DIR", "SECRET", "ARN|/NAME[#KEY]", "NAME=SECRET", "DEFINITION", "VERSION"),
    "URL|sns:ARN|slack:SECRET|teams:SECRET|eventbridge:ARN",
}
#: Names that their writer makes, or that only AWS, a sender or a person knows.
MADE = {
    *(("--idempotency-key", "KEY"), ("--key", "KEY"), ("--collapse-key", "KEY")),
    ("--concurrency-key", "KEY"),
    *(("--label", "KEY=VALUE"), ("--header", "NAME:VALUE"), ("event_type", "[TYPE]")),
    *(("--container", "NAME"), ("--for", "NAME"), ("--subnet", "ID"), ("--security-group", "ID")),
    *(
        ("--message-group", "ID"),
        ("tenant", "NAME"),
        ("key", "KEY-ID"),
        ("--jobs-table", "NAME"),
        ("--runs-table", "NAME"),
        ("--bucket", "NAME"),
        ("--region", "REGION"),
    ),
    *(("--repository", "OWNER/NAME"), ("--ref", "BRANCH")),
}
#: A command line that names no profile.
CTX: Any = SimpleNamespace(params={}, parent=None)
STEP = {"key": "a", "job": {"action": {"type": "worker", "pool": "p", "handler": "h"}}}


def takes_a_choice(parameter: Any) -> bool:  # noqa: ANN401 - typer keeps its types to itself
    """It has no placeholder: a flag, or one of an enumeration, which typer completes."""
    return parameter.metavar is None


def parameters() -> Iterator[tuple[str, Any]]:
    """Every parameter of every command."""
    for words, command in TREE.items():
        yield from ((words, each) for each in command.params if not takes_a_choice(each))


def said(parameter: Any) -> tuple[str, str]:  # noqa: ANN401 - typer keeps its types to itself
    """Return a parameter's name and its placeholder."""
    called = parameter.name if parameter.param_type_name == "argument" else parameter.opts[0]
    return called, parameter.metavar


def test_every_parameter_that_names_something_completes_it() -> None:
    """One that is added completes, or its placeholder says that it names nothing there is."""
    silent = {
        (words, *said(each)) for words, each in parameters() if not each._custom_shell_complete
    }
    odd = {each for each in silent if each[2] not in VALUES and each[1:] not in MADE}
    known = {said(each) for _, each in parameters()}

    assert odd == set()
    assert {each for each in MADE if each not in known} == set()
    assert VALUES - {placeholder for _, placeholder in known} == set()


def test_a_choice_is_the_only_thing_without_a_placeholder() -> None:
    """Else a name could hide behind a missing placeholder."""
    texts = {
        (words, each.name)
        for words, command in TREE.items()
        for each in command.params
        if takes_a_choice(each)
        and not getattr(each, "is_flag", False)
        and each.type_descriptor.annotation in {str, list[str]}
    }

    assert texts == set()


@pytest.fixture
def stage(
    served: World, api: FakeApi, timegate: Timegate, monkeypatch: pytest.MonkeyPatch
) -> dict[str, str]:
    """One thing of each kind, by the word that completes it."""
    monkeypatch.setenv("TIMEGATE_API_URL", "https://api.example.com/stage")
    monkeypatch.setenv("TIMEGATE_TOKEN", "t")

    def client(*given: Any, **more: Any) -> TimegateClient:  # noqa: ANN401 - as the client takes
        return TimegateClient(*given, **more, transport=api.transport)

    monkeypatch.setattr(reading, "TimegateClient", client)
    words = (
        *("--name", "nightly", "--key", "night", "--tag", "team=ops", "--metadata", "by=ann"),
        *("--delay", "1h", "--pool", "etl", "--handler", "load", "--tag", "timegate-apply=files"),
        *("--overlap", "queue", "--concurrency-key", "shared", "--json"),
    )
    hook = ("--webhook", "https://hooks.example.com", "--rate-limit", "5/s")
    timegate("jobs", "create", "--name", "calls", "--manual", *hook, "--rate-key", "partner")
    job = timegate("jobs", "create", *words).json["job_id"]
    served.settle()
    run = timegate("jobs", "trigger", job, "--delay", "1h", "--json").json["run_id"]
    body = json.dumps({"name": "pipeline", "tasks": [STEP], "edges": []})
    dag = timegate("dags", "create", "-f", "-", "--json", stdin=body).json["dag_id"]
    timegate("calendars", "put", "office", "--weekday", "sun", "--description", "closed")
    timegate("rules", "put", "late", "--late-after", "5m", "--tell", "https://hooks.example.com")
    timegate("event-triggers", "put", "paid", "--job", job)
    freeze = ("freezes", "create", "--tag", "a=b", "--for", "1h", "--reason", "deploy", "--json")
    frozen = timegate(*freeze).json["freeze_id"]
    bulk = timegate("bulk", "pause", "--tag", "team=docs", "--json").json["operation_id"]
    dag_run = timegate("dags", "run", dag, "--json").json["dag_run_id"]
    return {
        "JOB": job,
        "RUN": run,
        "DAG": dag,
        "FREEZE": frozen,
        "OPERATION": bulk,
        "DAG_RUN": dag_run,
    }


@pytest.mark.parametrize(
    ("complete", "begun", "found"),
    [
        (stage_names.complete_jobs, "JOB", ("JOB", "nightly")),
        (stage_names.complete_jobs, "nig", ("night", "nightly")),
        (stage_names.complete_jobs, "nightl", ("nightly", "active")),
        (stage_names.complete_dags, "DAG", ("DAG", "pipeline")),
        (stage_names.complete_dags, "pipe", ("pipeline", "active")),
        (stage_names.complete_dags_and_runs, "DAG", ("DAG", "pipeline")),
        (stage_names.complete_followers, "nig", ("night", "nightly")),
        (stage_names.complete_followers, "Dag/", ("Dag/pipeline", "DAG")),
        (stage_names.complete_calendars, "of", ("office", "closed")),
        (stage_names.complete_rule_calendars, "of", ("office=", "closed")),
        (stage_names.complete_rules, "la", ("late", "")),
        (stage_names.complete_event_triggers, "pa", ("paid", "")),
        (stage_names.complete_freezes, "FREEZE", ("FREEZE", "deploy")),
        (stage_names.complete_operations, "OPERATION", ("OPERATION", "pause")),
        (stage_names.complete_dag_runs, "DAG_RUN", ("DAG_RUN", "opening")),
        (stage_names.complete_runs, "JOB.", ("RUN", "waiting")),
        (stage_names.complete_runs_and_jobs, "nig", ("night", "nightly")),
        (stage_names.complete_runs_and_jobs, "JOB.", ("RUN", "waiting")),
        (stage_names.complete_queues, "high-s", ("high-short", "")),
        (stage_names.complete_actors, "ac", ("acme", "")),
        (stage_names.complete_resources, "calendar", ("calendar/office", "putCalendar")),
        (words_of_jobs.complete_job_names, "ni", ("nightly", "nightly")),
        (words_of_jobs.complete_tags, "team", ("team=ops", "nightly")),
        (words_of_jobs.complete_metadata, "by", ("by=ann", "nightly")),
        (words_of_jobs.complete_handlers, "lo", ("load", "nightly")),
        (words_of_jobs.complete_overlap_keys, "sh", ("shared", "nightly")),
        (words_of_jobs.complete_rate_keys, "pa", ("partner", "calls")),
        (words_of_jobs.complete_sets, "fi", ("files", "nightly")),
    ],
)
def test_a_name_is_completed_with_its_meaning(
    stage: dict[str, str],
    monkeypatch: pytest.MonkeyPatch,
    complete: Complete,
    begun: str,
    found: tuple[str, str],
) -> None:
    """The stage's names are offered; a stage without an answer offers none."""
    word = begun.replace("JOB", stage["JOB"])
    offered = complete(CTX, stage.get(word, word))
    other = complete(CTX, "~")

    def silent(*_: object, **__: object) -> TimegateClient:
        raise NotReachable("https://api.example.com", "away")

    monkeypatch.setattr(reading, "TimegateClient", silent)

    assert tuple(stage.get(each, each) for each in found) in offered
    assert all(name.startswith(stage.get(word, word)) for name, _ in offered)
    assert (other, complete(CTX, "")) == ([], [])


def test_a_word_before_says_what_is_completed(stage: dict[str, str]) -> None:
    """Tasks are those of the DAG run that was named; ``--run`` asks for runs."""
    named: Any = SimpleNamespace(params={"dag_run_id": stage["DAG_RUN"]}, parent=None)
    of_runs: Any = SimpleNamespace(params={"run": True}, parent=None)

    assert stage_names.complete_tasks(named, "") == [("a", "pending")]
    assert stage_names.complete_tasks(CTX, "") == []
    found = stage_names.complete_dags_and_runs(of_runs, "")
    assert (stage["DAG_RUN"], "opening") in found


def test_a_short_id_is_completed_as_it_was_typed(stage: dict[str, str]) -> None:
    """The shell keeps the job's short id and the dot."""
    short = stage["JOB"][:8]
    offered = stage_names.complete_runs(CTX, f"{short}.")

    assert [name for name, _ in offered] == [f"{short}{stage['RUN'][26:]}"]


def test_an_administrator_completes_tenants(
    stage: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the names that people know them by."""
    row = {"tenant": "umbrella", "display_name": "Umbrella Ltd"}
    monkeypatch.setattr(TimegateClient, "list_tenants", lambda _: {"items": [row]}, raising=False)
    offered = stage_names.complete_tenants(CTX, "um")

    assert offered == [("umbrella", "Umbrella Ltd")]
    assert Tenant.__annotations__.keys() >= row.keys()


@pytest.mark.parametrize(
    ("complete", "begun", "found"),
    [
        (known_words.complete_zones, "Europe/Berl", ["Europe/Berlin"]),
        (known_words.complete_weekdays, "s", ["sat", "sun"]),
        (known_words.complete_scopes, "timegate/a", ["timegate/admin"]),
        (known_words.complete_quotas, "runs", ["runs_per_day="]),
        (checkout_words.complete_stages, "pr", ["prod"]),
        (checkout_words.complete_capacities, "st", ["standard"]),
        (checkout_words.complete_choices, "warm", ["warmWrites"]),
        (checkout_words.complete_context, "warm", ["warmWrites="]),
    ],
)
def test_words_that_are_known_need_no_stage(
    complete: Complete, begun: str, found: list[str]
) -> None:
    """They are completed without a profile."""
    assert [name for name, _ in complete(begun)] == found
    assert len(complete("")) > len(found)


def test_a_tab_is_answered_by_the_program() -> None:
    """The shell's own question in the middle of a line is answered."""
    done = subprocess.run(
        [sys.executable, "-c", "from timegate.cli.main import app; app(prog_name='timegate')"],
        env={
            "PATH": os.environ["PATH"],
            "PYTHONPATH": "layers/core/python",
            "_TIMEGATE_COMPLETE": "complete_bash",
            "COMP_WORDS": "timegate jobs create --timezone Europe/Berl",
            "COMP_CWORD": "4",
        },
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.stdout.split() == ["Europe/Berlin"]
    assert "Europe/Berlin" in available_timezones()
