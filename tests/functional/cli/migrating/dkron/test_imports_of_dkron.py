"""``timegate import dkron``: requests become web hooks, and commands what options say."""

from pathlib import Path
from typing import Any

import pytest

from tests.functional.cli.apply.test_imports import Timegate, documents
from tests.functional.cli.migrating.dkron.jobs import HTTP, SHELL, command, job, read
from tests.functional.cli.migrating.kubernetes.manifests import only, warned
from tests.functional.cli.served import served, timegate

__all__ = ["served", "timegate"]

POOL = ("--pool", "shell")


def calls(**changes: Any) -> dict[str, Any]:  # noqa: ANN401 - any field
    """A job whose request differs."""
    return job("report", executor_config=HTTP | changes)


def test_a_request_becomes_a_web_hook(timegate: Timegate, tmp_path: Path) -> None:
    """Its answers, time and headers are kept; dkron runs nothing that it missed."""
    outcome = read(timegate, tmp_path, job(displayname="Sends the report", concurrency="forbid"))

    assert outcome.code == 0
    assert only(outcome) == {
        "schedule": {"kind": "cron", "cron": "0 0 9 * * *", "timezone": "Europe/Berlin"},
        "action": {
            "type": "webhook",
            "url": "https://example.com/report",
            "method": "POST",
            "success_statuses": [200, 206],
            "headers": {"Content-Type": "application/json", "X-Time": "12:30"},
        },
        "payload": {"kind": "daily"},
        "timeout_seconds": 30,
        "retry": {"max_attempts": 1},
        "description": "Sends the report",
        "overlap": {"policy": "forbid"},
        "catch_up": {"policy": "skip"},
    }
    assert warned(outcome) == []


def test_a_command_becomes_a_run_of_a_pool(timegate: Timegate, tmp_path: Path) -> None:
    """Its workers learn whether a shell is to read it."""
    outcome = read(timegate, tmp_path, command(retries=2), options=POOL)
    found = only(outcome)

    assert found["action"] == {"type": "worker", "pool": "shell", "handler": "run"}
    assert found["payload"] == {
        "command": "/bin/report --daily",
        "shell": True,
        "environment": {"A": "1", "B": "x=y"},
    }
    assert found["timeout_seconds"] == 5_400
    assert found["retry"] == {
        "max_attempts": 3,
        "delays_seconds": [2, 3],
        "jitter": False,
        "breaker": None,
    }


def test_a_template_has_marks_of_a_command(timegate: Timegate, tmp_path: Path) -> None:
    """Texts in its address are encoded, as those of a crontab."""
    options = ("--action-url", "https://a.example/{name}?c={command}", "--payload", '["{shell}"]')
    outcome = read(timegate, tmp_path, command(config=SHELL | {"shell": "no"}), options=options)

    assert only(outcome)["action"]["url"] == "https://a.example/report?c=%2Fbin%2Freport%20--daily"
    assert only(outcome)["payload"] == [False]


def test_what_is_imported_can_be_applied(timegate: Timegate, tmp_path: Path) -> None:
    """The API takes each part, those that follow and those that are manual too."""
    outcome = read(
        timegate,
        tmp_path,
        command("first", retries=60),
        command("then", parent_job="first", schedule=""),
        job("hand", schedule="@manually", retries=1),
        job("once", schedule="@at 2027-06-01T09:00:00Z", ephemeral=True),
        job("often", schedule="@every 90s", starts_at="2026-12-01T00:00:00Z"),
        job("long", executor_config=HTTP | {"timeout": "600"}),
        options=POOL,
    )
    path = tmp_path / "jobs.yaml"
    path.write_text(outcome.out)

    assert outcome.code == 0
    assert timegate("apply", "-f", str(path), "--yes").code == 0
    assert timegate("diff", "-f", str(path)).code == 0


def test_children_follow_their_parents(timegate: Timegate, tmp_path: Path) -> None:
    """After a success; their own schedule is ignored there."""
    jobs = [job("a"), job("b", parent_job="a"), job("c", parent_job="a"), job("d", parent_job="b")]
    found = documents(read(timegate, tmp_path, *jobs))

    assert found["a"]["then"] == [
        {"job_id": "Job/b", "on": ["succeeded"]},
        {"job_id": "Job/c", "on": ["succeeded"]},
    ]
    assert found["b"]["then"] == [{"job_id": "Job/d", "on": ["succeeded"]}]
    assert [found[name]["schedule"] for name in "bcd"] == [{"kind": "manual"}] * 3
    assert "catch_up" not in found["b"]


def test_a_family_that_is_not_whole_is_told(timegate: Timegate, tmp_path: Path) -> None:
    """A parent elsewhere, a child that is refused, and more children than may follow."""
    elsewhere = read(timegate, tmp_path, job("b", parent_job="a"))
    refused = read(timegate, tmp_path, job("a"), job("b", parent_job="a", executor="kafka"))
    ten = read(timegate, tmp_path, job("a"), *(job(f"c{n}", parent_job="a") for n in range(10)))
    more = read(timegate, tmp_path, job("a"), *(job(f"c{n}", parent_job="a") for n in range(11)))

    assert "Its parent a is not in the file: nothing starts it here." in elsewhere.err
    assert "It starts b there, which is refused here." in refused.err
    assert "then" not in documents(refused)["a"]
    assert "parent" not in warned(ten)
    assert "nothing starts c10." in more.err
    assert len(documents(more)["a"]["then"]) == len(documents(ten)["a"]["then"]) == 10


def test_circles_and_deep_chains_are_refused(timegate: Timegate, tmp_path: Path) -> None:
    """The API would refuse the whole manifest; sixteen parents are the most."""
    circle = [job("a", parent_job="b"), job("b", parent_job="a"), job("c", parent_job="c")]
    chain = [job("n0"), *(job(f"n{n}", parent_job=f"n{n - 1}") for n in range(1, 18))]
    outcome = read(timegate, tmp_path, *circle, job("right"))
    deep = documents(read(timegate, tmp_path, *chain))

    assert list(documents(outcome)) == ["right"]
    assert outcome.err.count("[cycle]") == 3
    assert "n15" in deep
    assert "n17" not in deep


def test_what_no_job_has_is_listed(timegate: Timegate, tmp_path: Path) -> None:
    """Processors, nodes and files of certificates too."""
    outcome = read(
        timegate,
        tmp_path,
        job(
            owner_email="ops@example.com",
            tags={"role": "web:1"},
            processors={"log": {}},
            disabled=True,
            ephemeral=True,
            executor_config=HTTP | {"tlsRootCAsFile": "/ca.pem", "expectBody": "ok"},
        ),
    )

    assert warned(outcome) == ["suspended", "ephemeral", "not_carried"]
    assert (
        "Not carried over: tags, processors, owner_email, executor_config.tlsRootCAsFile,"
        " executor_config.expectBody." in outcome.err
    )


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"expectCode": ""}, "any_status"),
        ({"expectCode": "2.."}, "any_status"),
        ({"expectCode": ",".join(map(str, range(200, 221)))}, "any_status"),
        ({"body": "plain"}, "body"),
        ({"headers": '["Authorization: Bearer hunter2"]'}, "secret_headers"),
        ({"headers": '["Host: a"]'}, "reserved_headers"),
        ({"timeout": "841"}, "timeout"),
        ({"timeout": "0"}, "timeout"),
        ({"url": "http://localhost:8080/x"}, "address"),
    ],
)
def test_what_a_web_hook_cannot_say_is_named(
    timegate: Timegate, tmp_path: Path, changes: dict[str, str], code: str
) -> None:
    """Credentials never stand in the manifest."""
    outcome = read(timegate, tmp_path, calls(**changes))

    assert warned(outcome) == [code]
    assert "hunter2" not in outcome.out + outcome.err


@pytest.mark.parametrize(("retries", "told"), [(49, False), (50, True)])
def test_retries_beyond_the_most_are_cut(
    timegate: Timegate, tmp_path: Path, retries: int, told: bool
) -> None:
    """To fifty attempts."""
    outcome = read(timegate, tmp_path, job(retries=retries))

    assert only(outcome)["retry"]["max_attempts"] == 50
    assert ("retries" in warned(outcome)) == told


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (job("wrong", executor="kafka"), "[unsupported_target]: Its executor is 'kafka'"),
        (job("wrong", executor=None), "[unsupported_target]"),
        (job("wrong", executor_config=7), "executor_config must be an object."),
        (job("wrong", executor_config={}), "dkron sends nothing without a method"),
        (job("wrong", executor_config=HTTP | {"method": "HEAD"}), "No web hook sends 'HEAD'"),
        (job("wrong", executor_config=HTTP | {"url": "ftp://a"}), "[invalid_url]"),
        (job("wrong", executor_config=HTTP | {"url": "https://u:p@a.example"}), "[plaintext_sec"),
        (job("wrong", executor_config=HTTP | {"headers": "{"}), "headers must be a list"),
        (job("wrong", executor_config=HTTP | {"headers": '["X"]'}), "headers must be a list"),
        (job("wrong", retries="3"), "retries must be a whole number"),
        (command("wrong"), "[no_action]: It runs a command: say what does"),
        (job("wrong", schedule="@at badtime"), "[invalid_instant]"),
        (job("wrong", schedule="@at 2020-01-01T00:00:00Z"), "wrong: refused"),
    ],
)
def test_a_job_is_refused_alone(
    timegate: Timegate, tmp_path: Path, wrong: dict[str, Any], said: str
) -> None:
    """Its own line is named, and the other one is written all the same."""
    outcome = read(timegate, tmp_path, wrong, job("right"))

    assert (outcome.code, set(documents(outcome))) == (1, {"right"})
    assert "line 2 wrong: refused" in outcome.err
    assert said in outcome.err


def test_commands_that_say_nothing_are_refused(timegate: Timegate, tmp_path: Path) -> None:
    """So are times that Go does not read."""
    empty = read(timegate, tmp_path, command(config=SHELL | {"command": " "}), options=POOL)
    odd = read(timegate, tmp_path, command(config=SHELL | {"timeout": "90"}), options=POOL)

    assert "[no_action]: It has no command." in empty.err
    assert "timeout is '90': it must be like 1h30m." in odd.err


@pytest.mark.parametrize(
    ("timeout", "seconds", "told"),
    [("", 86_400, True), ("24h", 86_400, False), ("24h1s", 86_400, True), ("500ms", 1, False)],
)
def test_a_command_takes_a_day_at_most(
    timegate: Timegate, tmp_path: Path, timeout: str, seconds: int, told: bool
) -> None:
    """dkron bounds one without a timeout by nothing."""
    found = command(config=SHELL | {"timeout": timeout})
    outcome = read(timegate, tmp_path, found, options=POOL)

    assert only(outcome)["timeout_seconds"] == seconds
    assert ("timeout" in warned(outcome)) == told


def test_a_command_that_a_web_hook_runs_has_the_class_for_its_time(
    timegate: Timegate, tmp_path: Path
) -> None:
    """The API refuses ten minutes of a short run."""
    found = command(config=SHELL | {"timeout": "10m"})
    outcome = read(timegate, tmp_path, found, options=("--action-url", "https://example.com/run"))

    assert (only(outcome)["timeout_seconds"], only(outcome)["resource_class"]) == (600, "long")
