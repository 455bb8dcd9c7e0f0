"""CronJobs that cannot be imported: each is named with its line, and stops no other."""

from pathlib import Path
from typing import Any

import pytest

from tests.functional.cli.apply.test_imports import Timegate, documents, imported
from tests.functional.cli.migrating.kubernetes.manifests import (
    container,
    cron_job,
    read,
    task,
)
from tests.functional.cli.served import served, timegate

__all__ = ["served", "timegate"]


def runs(**changes: Any) -> dict[str, Any]:  # noqa: ANN401 - any field
    """A CronJob whose container differs."""
    return cron_job("wrong", pod={"containers": [container(**changes)]})


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (cron_job("wrong", schedule=""), "[no_schedule]: It has no schedule."),
        (cron_job("wrong", schedule="TZ=UTC @daily"), "[contradictory]: Kubernetes refuses a zone"),
        (cron_job("wrong", schedule="0 0 30 2 *"), "[never_fires]"),
        (cron_job("wrong", timeZone="Berlin"), "Berlin"),
        (cron_job("wrong", startingDeadlineSeconds="200"), "[wrong_type]"),
        (cron_job("wrong", pod={"containers": None}), "[no_container]"),
        (cron_job("wrong", pod={"containers": ["main"]}), "containers must be a list of objects."),
        (cron_job("wrong", job={"template": "x"}), "template must be an object."),
        (cron_job("wrong", job={"backoffLimit": -1}), "backoffLimit must be a whole number"),
        (cron_job("wrong", job={"podFailurePolicy": {"rules": 7}}), "rules must be a list"),
        (runs(command="run"), "command must be a list of texts"),
        (runs(args=["--n", 7]), "args must be a list of texts"),
        (runs(env=[{"name": "N", "value": 7}]), "The variable N must be a text"),
        (runs(env={"N": "7"}), "env must be a list of objects."),
        (runs(args=["postgres://app:hunter2aaa@db/x"]), "[plaintext_secret]"),
        (runs(args=["x" * 262_144]), "[too_large]: Its payload has more than 262144 bytes"),
    ],
)
def test_a_cron_job_is_refused_alone(
    timegate: Timegate, tmp_path: Path, wrong: dict[str, Any], said: str
) -> None:
    """The other one is written all the same."""
    outcome = read(timegate, tmp_path, wrong, cron_job("right"))

    assert (outcome.code, set(documents(outcome))) == (1, {"right"})
    assert "line 1 wrong: refused" in outcome.err
    assert said in outcome.err
    assert "hunter2" not in outcome.err


@pytest.mark.parametrize(
    ("args", "is_refused"),
    [(["x" * 1_024], False), (["x" * 1_025], True), (["x"] * 50, False), (["x"] * 51, True)],
)
def test_a_command_is_as_long_as_a_task_takes(
    timegate: Timegate, tmp_path: Path, args: list[str], is_refused: bool
) -> None:
    """A template that has a command of its own lets the job be written."""
    wrong = runs(args=args)
    outcome = read(timegate, tmp_path, wrong, options=task())

    assert ("[too_long]" in outcome.err) == is_refused
    assert read(timegate, tmp_path, wrong, options=task(command=["run"])).code == 0


def test_variables_beyond_a_task_are_refused(timegate: Timegate, tmp_path: Path) -> None:
    """They are a part of the payload."""
    most = 4_096 - len('{"environment":{"A":""}}')
    fits, too_long = (runs(env=[{"name": "A", "value": "x" * (most + n)}]) for n in (0, 1))

    assert read(timegate, tmp_path, fits, options=task()).code == 0
    assert "[too_large]" in read(timegate, tmp_path, too_long, options=task()).err


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a: &a [1]\nb: &b [*a, *a]\n" + "kind: {{ .Values.kind }}\n", "helm template"),
        ("{{- if .Values.on }}\nkind: CronJob\n{{- end }}\n", "helm template"),
        ("kind: CronJob\nkind: CronJob\n", "It is written again in line 2"),
        ("a: &a [*a]\n", "invalid_yaml"),
        (
            "a0: &a0 [xxxxxxxxxxxxxxxxxxxx]\n"
            + "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]\n" for n in range(1, 9)),
            "Its aliases repeat",
        ),
    ],
    ids=["braces", "helm", "twice", "itself", "bomb"],
)
def test_a_file_that_cannot_be_read_is_refused(
    timegate: Timegate, tmp_path: Path, text: str, said: str
) -> None:
    """Nothing is written, and the reason is told."""
    outcome = imported(timegate, tmp_path, "kubernetes", text, "--pool", "batch")

    assert (outcome.code, outcome.out) == (2, "")
    assert said in " ".join(outcome.err.split())


def test_hostile_texts_stay_within_their_line(timegate: Timegate, tmp_path: Path) -> None:
    """Names and values with controls neither begin a line nor steer a terminal."""
    name = "evil\x1b[2J\nline 9 other: refused"
    found = cron_job(name)
    found["spec"]["x\x1b[31m\n"] = 1
    outcome = read(timegate, tmp_path, found)

    assert "\x1b" not in outcome.err
    assert not any(line.startswith("line 9") for line in outcome.err.splitlines())
    assert list(documents(outcome)) == ["evil[2Jline 9 other: refused"]


def test_a_zone_in_the_schedule_is_told(timegate: Timegate, tmp_path: Path) -> None:
    """Kubernetes before 1.29 took it."""
    found = cron_job(schedule="CRON_TZ=Asia/Tokyo 0 9 * * *", timeZone=None)
    outcome = read(timegate, tmp_path, found)

    assert documents(outcome)["report"]["schedule"]["timezone"] == "Asia/Tokyo"
    assert "warning [zone_in_schedule]" in outcome.err
