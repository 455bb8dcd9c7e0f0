"""A stage of the release before is upgraded in place and taken back, while jobs fire."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from itertools import count, pairwise
from pathlib import Path
from typing import Any

import pytest

from infra.local.access import profile, write_profile
from infra.local.cloud import LocalCloud
from infra.local.deployment import ROOT, deploy_assembly, synthesise
from infra.local.webhook_target import Recorder
from tests.e2e.faults.test_rollouts import aliases, functions
from tests.e2e.faults.test_shards import all_ended, ledger, ticking
from tests.support.deployed.chaos.chronos_judge import read
from tests.support.deployed.chaos.chronos_subjects import (
    FIVES,
    SECOND,
    Subject,
    every,
    once,
    rate,
    shown,
)
from tests.support.deployed.deployed_dags import ended, hook, run_of, started
from tests.support.deployed.reconfiguring import answers
from tests.support.deployed.stack import Stack, wait_until
from tests.support.releases.earlier_release import (
    commit_before,
    looking_ahead,
    synthesise_release,
)

pytestmark = pytest.mark.deep

BEFORE = commit_before()
SHARDS = 4
#: Seconds: each deployment meets instants that have no run yet.
AHEAD = 10
#: Runs of the rate that each release fires before the next deployment, and after the last one.
SEEN = 2
POOL = "upgrades"
TASKS = ("upgrade-first", "upgrade-then", "upgrade-last")
#: A program of a pool: it writes down which run it was given, and under which fence.
NOTING = """\
from pathlib import Path
from timegate.worker import Context, Worker, job

@job("note")
def note(context: Context) -> None:
    with Path({journal!r}).open("a") as journal:
        journal.write(f"{{context.run_id}} {{context.fence}}\\n")

worker = Worker(pool={pool!r}, concurrency=2)
"""


@pytest.fixture(autouse=True)
def no_job_outlives_its_test() -> None:
    """The session's own stack is not needed here."""


@pytest.fixture(scope="module")
def earlier(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The assembly of the release before."""
    folder = tmp_path_factory.mktemp("before")
    assembly = synthesise_release(BEFORE, folder / "checkout")
    return looking_ahead(assembly, folder / "assembly", AHEAD)


@pytest.fixture(scope="module")
def present(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The assembly of this release."""
    return looking_ahead(synthesise(), tmp_path_factory.mktemp("present") / "assembly", AHEAD)


@pytest.fixture(scope="module")
def stack(earlier: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    """A stage of the release before, in a cloud of its own."""
    home = tmp_path_factory.mktemp("upgraded")
    cloud = LocalCloud.start(home, auth=os.environ.get("TIMEGATE_E2E_AUTH") == "1")
    try:
        stack = Stack(cloud, deploy_assembly(cloud, earlier, home / "outputs.json"))
        with stack.clients:
            yield stack
    finally:
        cloud.stop()


@dataclass
class Course:
    """Jobs of all kinds, made under one release and fired under others."""

    stack: Stack
    recorder: Recorder
    journal: Path
    jobs: list[tuple[Subject, dict[str, Any]]] = field(default_factory=list)
    dag_runs: list[str] = field(default_factory=list)
    numbers: Iterator[int] = field(default_factory=count)

    def create(self) -> None:
        """Make jobs that fire all the time or at a moment to come, and begin a DAG run."""
        number = next(self.numbers)
        for subject in (*recurring(number), *delays(number)):
            action: dict[str, object] = {
                "type": "webhook",
                "url": self.recorder.url(subject.name),
            }
            if is_pooled(subject):
                action = {"type": "worker", "pool": POOL, "handler": "note"}
            self.jobs.append((subject, self.stack.create_job(**subject.fields, action=action)))
        edges = [{"source": a, "target": b} for a, b in pairwise(TASKS)]
        tasks = [hook(self.recorder, name) for name in TASKS]
        dag = {"name": f"upgrade-dag-{number}", "tasks": tasks, "edges": edges}
        self.dag_runs.append(started(self.stack, dag))

    def fires(self) -> None:
        """Wait until jobs that were made last have called."""
        name = next(subject.name for subject, _ in reversed(self.jobs) if is_rate(subject))
        self.recorder.wait_for(name, len(self.recorder.requests(name)) + SEEN, seconds=120)

    def deploy(self, assembly: Path) -> None:
        """Deploy over what is there: each function that both releases have is another one."""
        before = aliases(self.stack)
        deploy_assembly(self.stack.cloud, assembly, Path(self.stack.cloud.home) / "outputs.json")
        after = aliases(self.stack)
        both = before.keys() & after.keys()
        assert both >= set(functions(self.stack))
        assert [name for name in both if after[name].live == before[name].live] == []
        wait_until(lambda: answers(self.stack), seconds=180)

    def judge(self) -> None:
        """Hold the ledgers, the calls and the auditor to each instant once."""
        until = datetime.now(UTC)
        wait_until(
            lambda: all_ended(self.stack, self.jobs, until),
            seconds=240,
            pause=1.0,
            what=lambda: [ledger(self.stack, job, until) for _, job in self.jobs],
        )
        for subject, job in self.jobs:
            found = ledger(self.stack, job, until)
            ids = {entry["run_id"] for entry in found}
            assert [read(entry["instant"]) for entry in found] == named(subject, job, until)
            called = self.called(subject, ids)
            if is_pooled(subject):
                # An API that does not answer for a while lets a lease lapse: the next claim fences.
                assert len(called) == len(set(called))
                assert {run_id for run_id, _ in called} == ids
            else:
                assert sorted(called) == sorted((each, 1) for each in ids)
        for dag_run_id in self.dag_runs:
            assert set(ended(self.stack, dag_run_id, "succeeded").values()) == {"succeeded"}
            run_ids = [task["run_id"] for task in run_of(self.stack, dag_run_id)["tasks"]]
            for name, run_id in zip(TASKS, run_ids, strict=True):
                assert self.calls(name).count((run_id, 1)) == 1
        for name in TASKS:
            assert len(self.calls(name)) == len(self.dag_runs)
        audit = self.stack.invoke("AuditorFunctionName", {"shards": list(range(SHARDS))})
        assert (audit["unaccounted"], audit["instants"] > 0) == (0, True)

    def called(self, subject: Subject, ids: set[str]) -> list[tuple[str, int]]:
        """Return each call for one of these runs: the run and its fence."""
        found = self.calls(subject.name)
        if is_pooled(subject):
            lines = [line.split(" ") for line in self.journal.read_text().splitlines()]
            found = [(run_id, int(fence)) for run_id, fence in lines]
        return [call for call in found if call[0] in ids]

    def calls(self, name: str) -> list[tuple[str, int]]:
        """Return each call of a target: the run and its fence."""
        return [(call.run_id, call.fence) for call in self.recorder.requests(name)]


def named(subject: Subject, job: dict[str, Any], until: datetime) -> list[datetime]:
    """Return the instants that a job names from its creation on."""
    return subject.named(read(job["created_at"]), until)


def is_pooled(subject: Subject) -> bool:
    """Tell a job whose runs a worker claims."""
    return subject.name.startswith("upgrade-pool")


def is_rate(subject: Subject) -> bool:
    """Tell a job that fires all the time, and waits for no other."""
    return subject.name.startswith("upgrade-rate")


def recurring(number: int) -> Iterator[Subject]:
    """A rate, a cron, two jobs that take turns at one key, and one of a pool."""
    yield Subject(name=f"upgrade-rate-{number}", schedule=rate(3), named=every(3))
    zone = "Asia/Kathmandu"
    cron = {"kind": "cron", "cron": "*/5 * * * * *", "timezone": zone}
    yield Subject(name=f"upgrade-cron-{number}", schedule=cron, named=shown(zone, FIVES))
    turns = {"overlap": {"policy": "queue", "concurrency_key": "upgrade"}}
    for turn in ("left", "right"):
        name = f"upgrade-{turn}-{number}"
        yield Subject(name=name, schedule=rate(8), named=every(8), settings=turns)
    yield Subject(name=f"upgrade-pool-{number}", schedule=rate(5), named=every(5))


def delays(number: int) -> Iterator[Subject]:
    """One-shots that come while the next release is deployed, and soon after."""
    for seconds in (6, 14, 22):
        yield Subject(
            name=f"upgrade-delay-{number}-{seconds}",
            schedule={"kind": "delay", "delay_seconds": seconds},
            named=once(partial(delayed, seconds)),
        )


def delayed(seconds: int, created_at: datetime) -> datetime:
    """Return the only instant of a one-shot."""
    return created_at + seconds * SECOND


@contextmanager
def serving(stack: Stack, folder: Path) -> Iterator[Path]:
    """A worker of this release, which no deployment stops; its journal."""
    journal, access = folder / "journal.txt", folder / "profile.json"
    journal.touch()
    (folder / "noting.py").write_text(NOTING.format(journal=str(journal), pool=POOL))
    write_profile(profile(stack.cloud, stack.outputs, stack.outputs["UserPoolClientId"]), access)
    kept = {name: each for name, each in os.environ.items() if not name.startswith("TIMEGATE_")}
    own = {
        "TIMEGATE_PROFILE_FILE": str(access),
        "PYTHONPATH": f"{ROOT}/layers/core/python",
    }
    words = [sys.executable, "-m", "timegate.cli", "worker", "run", "noting.py"]
    with (folder / "worker.log").open("wb") as log:
        process = subprocess.Popen(words, cwd=folder, env=kept | own, stderr=log)
    try:
        yield journal
        assert process.poll() is None, (folder / "worker.log").read_text()
    finally:
        process.kill()
        process.wait()


@pytest.mark.parametrize("before", [BEFORE or "this code with another mark"])
def test_nothing_is_lost_or_doubled_by_an_upgrade_and_the_way_back(
    *, stack: Stack, recorder: Recorder, earlier: Path, present: Path, tmp_path: Path, before: str
) -> None:
    """Judge by the ledger, by the calls that targets received, and by the auditor."""
    assert before
    with serving(stack, tmp_path) as journal, ticking(stack) as told:
        told.append(SHARDS)
        course = Course(stack, recorder, journal)
        course.create()
        course.fires()
        course.deploy(present)
        course.create()
        course.fires()
        course.deploy(earlier)
        course.fires()
        course.judge()
