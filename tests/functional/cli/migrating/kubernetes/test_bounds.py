"""Bounds of a CronJob: retries, time, missed starts and pods."""

from pathlib import Path
from typing import Any

import pytest

from tests.functional.cli.apply.test_imports import Timegate
from tests.functional.cli.migrating.kubernetes.manifests import cron_job, only, read, task, warned
from tests.functional.cli.served import served, timegate

__all__ = ["served", "timegate"]

URL = ("--action-url", "https://example.com/run")


def imported(timegate: Timegate, path: Path, *options: str, **job: Any) -> dict[str, Any]:  # noqa: ANN401
    """The job of a template."""
    return only(read(timegate, path, cron_job(job=job), options=options))


@pytest.mark.parametrize(
    ("limit", "attempts", "delays"),
    [
        (None, 7, [10, 20, 40, 80, 160, 320]),
        (0, 1, None),
        (1, 2, [10]),
        (7, 8, [10, 20, 40, 80, 160, 320, 360]),
        (49, 50, [10, 20, 40, 80, 160, 320, 360]),
        (50, 50, [10, 20, 40, 80, 160, 320, 360]),
    ],
)
def test_retries_have_the_delays_of_kubernetes(
    timegate: Timegate, tmp_path: Path, limit: int | None, attempts: int, delays: list[int] | None
) -> None:
    """The delay doubles up to six minutes; 49 retries are the most."""
    outcome = read(timegate, tmp_path, cron_job(job={"backoffLimit": limit}))
    retry = only(outcome)["retry"]

    assert (retry["max_attempts"], retry.get("delays_seconds")) == (attempts, delays)
    assert ("backoff_limit" in warned(outcome)) == (limit == 50)


@pytest.mark.parametrize(("bound", "attempts"), [(9, 1), (10, 7)])
def test_no_retry_begins_after_the_deadline(
    timegate: Timegate, tmp_path: Path, bound: int, attempts: int
) -> None:
    """A Job that ends before the first delay is over has no retry."""
    found = imported(timegate, tmp_path, activeDeadlineSeconds=bound)

    assert found["retry"]["max_attempts"] == attempts
    assert found["retry"].get("window_seconds") == (bound if attempts > 1 else None)
    assert found["timeout_seconds"] == bound


@pytest.mark.parametrize(
    ("options", "bound", "seconds", "kind"),
    [
        ((), 86_400, 86_400, None),
        ((), 86_401, 86_400, None),
        (URL, 60, 60, None),
        (URL, 61, 61, "long"),
        (URL, 841, 840, "long"),
    ],
)
def test_an_attempt_takes_as_long_as_its_action_may(
    timegate: Timegate,
    tmp_path: Path,
    options: tuple[str, ...],
    bound: int,
    seconds: int,
    kind: str | None,
) -> None:
    """A worker has a day, and a call that answers 14 minutes."""
    job = {"activeDeadlineSeconds": bound, "backoffLimit": 0}
    outcome = read(timegate, tmp_path, cron_job(job=job), options=options)
    found = only(outcome)

    assert (found["timeout_seconds"], found.get("resource_class")) == (seconds, kind)
    assert ("active_deadline" in warned(outcome)) == (bound > seconds)


def test_a_pod_has_a_bound_of_its_own(timegate: Timegate, tmp_path: Path) -> None:
    """It bounds each attempt, and no retry."""
    outcome = read(timegate, tmp_path, cron_job(pod={"activeDeadlineSeconds": 30}))

    assert only(outcome)["timeout_seconds"] == 30
    assert "window_seconds" not in only(outcome)["retry"]
    assert warned(outcome) == []


def test_exit_codes_end_a_task_for_good(timegate: Timegate, tmp_path: Path) -> None:
    """Other rules of ``podFailurePolicy``, and those of other targets, are told."""
    fails = {"action": "FailJob", "onExitCodes": {"operator": "In", "values": [2, 42]}}
    other = {"action": "Ignore", "onPodConditions": [{"type": "DisruptionTarget"}]}
    carried = cron_job(job={"podFailurePolicy": {"rules": [fails]}})
    both = cron_job(job={"podFailurePolicy": {"rules": [fails, other]}})
    to_task = read(timegate, tmp_path, carried, options=task())

    assert only(to_task)["retry"]["give_up_on"] == ["exit_code/ExitCode2", "exit_code/ExitCode42"]
    assert "pod_failure_policy" not in warned(to_task)
    assert "pod_failure_policy" in warned(read(timegate, tmp_path, both, options=task()))
    assert "pod_failure_policy" in warned(read(timegate, tmp_path, carried))


def test_several_pods_are_told(timegate: Timegate, tmp_path: Path) -> None:
    """One of each is what a run is."""
    one = read(timegate, tmp_path, cron_job(job={"completions": 1, "parallelism": 1}))
    many = read(timegate, tmp_path, cron_job(job={"completions": 3, "parallelism": 0}))

    assert "pods" not in warned(one)
    assert "It has completions: 3, parallelism: 0; a run is one" in many.err


@pytest.mark.parametrize(
    ("deadline", "catch_up", "warnings"),
    [
        (None, {"policy": "latest", "window_seconds": 31_536_000}, []),
        (0, {"policy": "skip"}, ["starting_deadline"]),
        (9, {"policy": "latest", "window_seconds": 9}, ["starting_deadline"]),
        (10, {"policy": "latest", "window_seconds": 10}, []),
        (31_536_000, {"policy": "latest", "window_seconds": 31_536_000}, []),
        (31_536_001, {"policy": "latest", "window_seconds": 31_536_000}, ["starting_deadline"]),
    ],
)
def test_the_latest_missed_run_is_as_old_as_its_deadline(
    timegate: Timegate,
    tmp_path: Path,
    deadline: int | None,
    catch_up: dict[str, Any],
    warnings: list[str],
) -> None:
    """Without one, however old it is; the controller may miss one below its own interval."""
    found = cron_job(startingDeadlineSeconds=deadline, job={"activeDeadlineSeconds": 5})
    outcome = read(timegate, tmp_path, found)

    assert only(outcome)["catch_up"] == catch_up
    assert warned(outcome) == warnings


@pytest.mark.parametrize(
    ("schedule", "deadline", "is_told"),
    [
        ("* * * * *", None, True),
        ("* * * * *", 6_000, True),
        ("* * * * *", 5_999, False),
        ("*/15 * * * *", None, False),
        ("*/14 * * * *", None, True),
        ("* 0,12 * * *", 6_000, False),
        ("* 9-10 * * *", 6_000, True),
        ("@every 10m", None, True),
        ("@every 15m", None, False),
    ],
)
def test_a_hundred_missed_starts_are_told(
    timegate: Timegate, tmp_path: Path, schedule: str, deadline: int | None, is_told: bool
) -> None:
    """Kubernetes counts those within the deadline."""
    found = cron_job(schedule=schedule, startingDeadlineSeconds=deadline)

    assert ("missed_starts" in warned(read(timegate, tmp_path, found))) == is_told


def test_runs_that_forbid_holds_back_are_told(timegate: Timegate, tmp_path: Path) -> None:
    """Kubernetes starts the latest of them later; other policies hold none back."""
    policies = ("Forbid", "Replace", "Allow")
    found = [read(timegate, tmp_path, cron_job(concurrencyPolicy=each)) for each in policies]

    assert ["held_back" in warned(each) for each in found] == [True, False, False]
