"""Two versions of functions that work side by side, and the way back, while jobs fire."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any

import pytest

from infra.admin.rollout import Invoked, go_back, invoked
from infra.local.webhook_target import Recorder
from infra.rollout_choice import LIVE
from tests.e2e.faults.test_shards import all_ended, ledger
from tests.support.deployed.chaos.chronos_judge import read
from tests.support.deployed.chaos.chronos_subjects import SECOND, Subject, every, once, text
from tests.support.deployed.stack import Stack, wait_until

pytestmark = pytest.mark.wide

#: Those that a run of a web hook passes.
OUTPUTS = ("PlannerFunctionName", "RelayFunctionName", "OutcomesFunctionName")
EXECUTOR = "normal-short"
FIRES = 25
#: Runs of a job that have ended when the functions go back.
SEEN = 8
#: Beyond the span that a caller publishes itself, within that of the relay.
SOON = 5 * SECOND


def functions(stack: Stack) -> list[str]:
    """The functions that are rolled out."""
    executors = json.loads(stack.outputs["ExecutorFunctionNames"])
    return [*(stack.outputs[each] for each in OUTPUTS), executors[EXECUTOR]]


@contextmanager
def shared(stack: Stack) -> Iterator[None]:
    """Give a new version of each function half of the invocations, as a rollout does."""
    client, stored = stack.aws("lambda"), {}
    for name in functions(stack):
        found = client.get_function_configuration(FunctionName=name)
        stored[name] = variables = found["Environment"]["Variables"]
        client.update_function_configuration(
            FunctionName=name, Environment={"Variables": {**variables, "RELEASE": "next"}}
        )
        version = client.publish_version(FunctionName=name)["Version"]
        client.update_alias(
            FunctionName=name,
            Name=LIVE,
            RoutingConfig={"AdditionalVersionWeights": {version: 0.5}},
        )
    try:
        yield
    finally:
        for name, variables in stored.items():
            client.update_function_configuration(
                FunctionName=name, Environment={"Variables": variables}
            )


def at_work(stack: Stack, name: str) -> set[str | None]:
    """The versions that processes of a function run."""
    return {stack.version_of(pid) for pid in stack.workers(name)}


def both_work(stack: Stack, recorder: Recorder) -> bool | None:
    """Tick by hand and order two runs, until each function has processes of two versions.

    The caller publishes a run that is due; the relay publishes one that is due soon.
    """
    stack.invoke("PlannerFunctionName", {"shards": [0, 1, 2, 3]})
    action = {"type": "webhook", "url": recorder.url("rollout-more")}
    soon = text(datetime.now(UTC) + SOON)
    for schedule in ({"kind": "immediate"}, {"kind": "at", "at": soon}):
        stack.create_job(name="rollout-more", schedule=schedule, action=action)
    return all(len(at_work(stack, each)) > 1 for each in functions(stack)) or None


def aliases(stack: Stack) -> dict[str, Invoked]:
    """Return the invoked alias of each function."""
    return {each.function: each for each in invoked(stack.aws("lambda"), "local")}


def firing() -> Iterator[Subject]:
    """A rate, and moments that come while two versions work: each is named when it is asked for."""
    rate: dict[str, object] = {"kind": "rate", "every_seconds": 2, "max_runs": FIRES}
    named = every(2, most=FIRES)
    yield Subject(name="rollout-rate", schedule=rate, named=named)
    yield from map(single, range(6))


def single(number: int) -> Subject:
    """One of the moments."""
    moment = (datetime.now(UTC) + (30 + 3 * number) * SECOND).replace(microsecond=0)
    return Subject(
        name=f"rollout-at-{number}",
        schedule={"kind": "at", "at": text(moment)},
        named=once(lambda _: moment),
    )


def test_nothing_is_lost_or_doubled_between_versions(stack: Stack, recorder: Recorder) -> None:
    """Half of the invocations are the next version's; then the operator takes all back."""
    before, instant = aliases(stack), datetime.now(UTC)
    jobs = []
    with shared(stack):
        for subject in firing():
            action = {"type": "webhook", "url": recorder.url(subject.name)}
            jobs.append((subject, stack.create_job(**subject.fields, action=action)))
        wait_until(
            lambda: both_work(stack, recorder),
            seconds=180,
            what=lambda: {each: at_work(stack, each) for each in functions(stack)},
        )
        stack.wait_for_runs(jobs[0][1]["job_id"], SEEN, seconds=120)
        weighted = {each for each, found in aliases(stack).items() if found.shares}
        assert weighted == set(functions(stack))
        assert go_back(stack.aws("lambda"), "local", print, before=instant)
        until = datetime.now(UTC) + 60 * SECOND
        wait_until(
            lambda: all_ended(stack, jobs, until),
            seconds=240,
            what=lambda: [ledger(stack, job, until) for _, job in jobs],
        )

    assert invocations(aliases(stack)) == invocations(before)
    for subject, job in jobs:
        ran_once(stack, recorder, subject, job, until)


def invocations(found: dict[str, Invoked]) -> dict[str, tuple[str, dict[str, float]]]:
    """Return each function's invoked version and its shares."""
    return {name: (each.live, dict(each.shares)) for name, each in found.items()}


def ran_once(
    stack: Stack, recorder: Recorder, subject: Subject, job: dict[str, Any], until: datetime
) -> None:
    """Each instant has one run on record, and each run called its target once."""
    found = ledger(stack, job, until)
    ids = {entry["run_id"] for entry in found}
    called = [call.run_id for call in recorder.requests(subject.name) if call.run_id in ids]
    named = subject.named(read(job["created_at"]), until)
    assert [read(entry["instant"]) for entry in found] == named, subject.name
    assert sorted(called) == sorted(ids), subject.name
