"""Jobs on the deployed stack while everything around them fails, and what becomes of them.

Workers are killed, calls are throttled or their answers lost, messages and stream records arrive
twice. ``make test`` has a short course with all of it at once; ``make chaos`` runs 500 jobs for two
minutes, under each fault alone and under all. The counts are printed (docs/faults.md has a table).
"""

import json
import os
import signal
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from itertools import cycle
from random import Random
from threading import Event, Thread
from typing import Any

import httpx
import pytest

from infra.local.demo.show import warm
from infra.settings import PRIORITIES
from tests.e2e.test_chronos import configure, sleep_until
from tests.e2e.test_robustness import executor
from tests.support.effects import Effects, effects
from tests.support.fault_proxy import FaultProxy, Faults, fault_proxy
from tests.support.stack import Stack, wait_until
from tests.support.stream_copies import StreamCopies

SEED = 20_261_121
MODES = ("at_least_once", "exactly_once", "at_most_once")
ENDED = {"succeeded", "failed", "dead_lettered", "cancelled", "skipped", "timed_out"}
FUNCTIONS = (
    *("ApiFunctionName", "PlannerFunctionName", "RelayFunctionName"),
    *("SweeperFunctionName", "OutcomesFunctionName"),
)
#: Of the kills.
RELAYS_SHARE = 0.1


@dataclass(frozen=True, kw_only=True)
class Course:
    """How many jobs, for how long, and what is done to them."""

    jobs: int
    spread: timedelta
    faults: Faults = field(default_factory=Faults)
    #: Between two kills of a worker; ``None``: nobody is killed.
    kill_every: float | None = None
    #: The share of stream records that relay and outcomes see again.
    copied: float = 0.0


ALL = Faults(throttled=0.05, unanswered=0.01, doubled=0.05)
SHORT = Course(jobs=120, spread=timedelta(seconds=20), faults=ALL, kill_every=1.5, copied=0.2)
LONG = replace(SHORT, jobs=500, spread=timedelta(seconds=120))
COURSES = {
    "short": {"everything": SHORT},
    "long": {
        "nothing": Course(jobs=500, spread=LONG.spread),
        "kills": Course(jobs=500, spread=LONG.spread, kill_every=LONG.kill_every),
        "throttles": Course(jobs=500, spread=LONG.spread, faults=Faults(throttled=0.05)),
        "lost-answers": Course(jobs=500, spread=LONG.spread, faults=Faults(unanswered=0.05)),
        "duplicates": Course(jobs=500, spread=LONG.spread, faults=Faults(doubled=0.2), copied=0.2),
        "everything": LONG,
    },
}[os.environ.get("TIMEGATE_CHAOS", "short")]


@dataclass(frozen=True, kw_only=True)
class Subject:
    """One job of the course."""

    name: str
    mode: str
    job_id: str


@dataclass
class Killer:
    """Kills a worker of whatever queue has work right now; or, now and then, of the relay."""

    stack: Stack
    target: Effects
    dice: Random
    kills: int = 0

    def kill(self) -> None:
        """SIGKILL, in whatever it does."""
        workers = self.stack.workers(self._function())
        if workers:
            with suppress(ProcessLookupError):
                os.kill(self.dice.choice(workers), signal.SIGKILL)
                self.kills += 1

    def _function(self) -> str:
        busy = self.target.at_work()
        if not busy or self.dice.random() < RELAYS_SHARE:
            return self.stack.outputs["RelayFunctionName"]
        number = int(self.dice.choice(busy).rpartition("-")[2])
        return executor(self.stack, f"{PRIORITIES[number % len(PRIORITIES)]}-short")


def functions(stack: Stack) -> list[str]:
    """Every function that the course disturbs."""
    executors = [executor(stack, f"{priority}-short") for priority in PRIORITIES]
    return [*executors, *(stack.outputs[each] for each in FUNCTIONS)]


@contextmanager
def through(stack: Stack, proxy: FaultProxy) -> Iterator[None]:
    """Let the functions reach tables and queues through the proxy, and put it back in the end."""
    client, stored = stack.aws("lambda"), {}
    for name in functions(stack):
        stored[name] = client.get_function_configuration(FunctionName=name)["Environment"]
    detour = {"AWS_ENDPOINT_URL_DYNAMODB": proxy.url, "AWS_ENDPOINT_URL_SQS": proxy.url}
    try:
        for name, kept in stored.items():
            configure(stack, name, {"Variables": kept["Variables"] | detour})
        yield
    finally:
        for name, kept in stored.items():
            configure(stack, name, kept)


@contextmanager
def every(seconds: float | None, step: Any) -> Iterator[None]:  # noqa: ANN401 - any callable
    """Take a step again and again, beside what else happens."""
    over = Event()

    def steps() -> None:
        while not over.wait(seconds):
            step()

    thread = Thread(target=steps, daemon=True)
    if seconds is not None:
        thread.start()
    try:
        yield
    finally:
        over.set()
        if seconds is not None:
            thread.join()


def create(stack: Stack, course: Course, target: Effects, dice: Random) -> list[Subject]:
    """The jobs, all priorities and modes in turn, due at some time of the course."""
    kinds = zip(range(course.jobs), cycle(MODES), cycle(PRIORITIES), strict=False)
    subjects = []
    for number, mode, priority in kinds:
        name = f"chaos-{number}"
        url = target.url(name, guarded=mode == "exactly_once")
        seconds = round(dice.uniform(3, course.spread.total_seconds()), 3)
        fields = {
            "name": name,
            "schedule": {"kind": "delay", "delay_seconds": seconds},
            "action": {"type": "webhook", "url": url},
            "delivery": mode,
            "priority": priority,
            "timeout_seconds": 30,
        }
        job_id = created(stack, name, fields)["job_id"]
        subjects.append(Subject(name=name, mode=mode, job_id=job_id))
    return subjects


def created(stack: Stack, key: str, fields: dict[str, object]) -> dict[str, Any]:
    """As any client should: with a key of its own, asked again until there is an answer."""

    def ask() -> dict[str, Any] | None:
        with suppress(httpx.TransportError):
            headers = {"Idempotency-Key": key}
            answer = stack.api.post("/v1/jobs", json=fields, headers=headers)
            assert answer.status_code < 400 or answer.status_code in {429, 500, 503}, answer.text
            return answer.json() if answer.is_success else None
        return None

    return wait_until(ask, seconds=60, what=lambda: fields)


def run_of(stack: Stack, subject: Subject) -> dict[str, Any] | None:
    """Its only run with all attempts, once it has ended."""
    runs = stack.runs(subject.job_id)
    assert len(runs) <= 1, runs
    if not runs or runs[0]["state"] not in ENDED:
        return None
    read: dict[str, Any] = stack.api.get(f"/v1/runs/{runs[0]['run_id']}").json()
    return read


def ended(stack: Stack, subjects: list[Subject]) -> dict[str, dict[str, Any]]:
    """Wait for every run's end, with the sweeper coming by more often than once a minute."""
    found: dict[str, dict[str, Any]] = {}

    def all_there() -> bool | None:
        stack.invoke("SweeperFunctionName", {"shards": [0, 1, 2, 3]})
        for subject in subjects:
            if subject.name not in found and (run := run_of(stack, subject)):
                found[subject.name] = run
        return len(found) == len(subjects) or None

    def missing() -> object:
        open_ones = [s for s in subjects if s.name not in found]
        return [(s, stack.runs(s.job_id)) for s in open_ones[:5]]

    wait_until(all_there, seconds=420, what=missing)
    return found


@pytest.mark.parametrize("name", COURSES)
def test_no_run_is_lost_and_effects_are_as_promised(
    stack: Stack, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    """Every run ends, on record; each mode keeps what it says of effects."""
    course, dice = COURSES[name], Random(SEED)
    copies = StreamCopies(stack, share=course.copied, dice=dice)
    with (
        effects(stack.aws("dynamodb"), f"timegate-effects-{name}", seed=SEED) as target,
        fault_proxy(stack.cloud.port, course.faults, seed=SEED) as proxy,
    ):
        killer = Killer(stack, target, dice)
        with through(stack, proxy):
            warm(stack.cloud, stack.outputs)
            with every(course.kill_every, killer.kill), every(copies.interval, copies.send):
                subjects = create(stack, course, target, dice)
                sleep_until(datetime.now(UTC) + course.spread)
            runs = ended(stack, subjects)
        happened = target.per_job()
        counts = {
            "kills": killer.kills,
            **{k: v for k, v in proxy.counts.items() if k != "forwarded"},
            "calls": proxy.counts.total(),
            "records sent again": copies.sent,
            **target.counts,
            **told(subjects, runs, target),
        }
    with capsys.disabled():
        sys.stdout.write(f"\nchaos, {name}: {json.dumps(counts)}\n")

    assert judged(subjects, runs, happened) == []


def judged(
    subjects: list[Subject], runs: dict[str, dict[str, Any]], happened: Counter[str]
) -> list[str]:
    """What was not as promised."""
    wrong = []
    for subject in subjects:
        run, effect = runs[subject.name], happened[subject.name]
        outcome = (run["state"], run["reason"])
        match subject.mode:
            case "at_least_once":
                kept = outcome == ("succeeded", None) and effect >= 1
            case "exactly_once":
                kept = outcome == ("succeeded", None) and effect == 1
            case _:
                died = outcome == ("failed", "worker_died") and effect <= 1
                kept = died or (outcome == ("succeeded", None) and effect == 1)
        if not kept:
            wrong.append(f"{subject.name}, {subject.mode}: {outcome}, effects: {effect}")
    return wrong


def told(
    subjects: list[Subject], runs: dict[str, dict[str, Any]], target: Effects
) -> dict[str, object]:
    """What the records say, in numbers."""
    attempts = [attempt for run in runs.values() for attempt in run["attempts"]]
    firsts = [
        (datetime.fromisoformat(runs[s.name]["scheduled_at"]), target.calls(s.name))
        for s in subjects
    ]
    late = sorted((calls[0] - due).total_seconds() for due, calls in firsts if calls)
    return {
        "ended": dict(Counter(f"{run['state']}" for run in runs.values())),
        "called more than once": sum(len(calls) > 1 for _, calls in firsts),
        "taken over": sum(run["attempts"][-1]["fence"] > 1 for run in runs.values()),
        "retries": len(attempts) - len(runs),
        "duplicates prevented": sum(run["duplicates_prevented"] for run in runs.values()),
        "called before due": sum(seconds < 0 for seconds in late),
        "late_s": {f"p{p}": round(late[int(len(late) * p / 100.1)], 2) for p in (50, 95, 99)},
    }
