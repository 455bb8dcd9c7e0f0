"""Jobs of a deployed pair: made in its first region, and taken over by the other one."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial
from itertools import pairwise
from typing import Any

import httpx

from infra.local.webhook_target import Recorder, Request
from tests.support.deployed.chaos.chronos_judge import read
from tests.support.deployed.chaos.chronos_subjects import (
    Subject,
    every,
    once,
    rate,
    shown,
)
from tests.support.deployed.deployed_dags import hook
from tests.support.deployed.stack import wait_until
from tests.support.regions.deployed_pair import HOME, LENGTH, OTHER
from tests.support.regions.pair_judge import Record, ledger

POOL = "pool"
ZONE = "Asia/Kathmandu"
TENS = set(range(0, 60, 10))
PATIENCE = 240.0
#: Runs of a DAG: the second one's middle task is under way when the link is cut.
TASKS = ("first", "then", "last")
WHOLE, PARTED = "whole", "parted"
#: A call that is not answered for a while is no failure.
PATIENT: dict[str, object] = {"resource_class": "long", "timeout_seconds": 300}
#: A retry is due so long after its first attempt: in the time of the first region, and behind it.
SOON, LATER = 45, LENGTH.total_seconds() + 60


def delayed(seconds: float, created_at: datetime) -> datetime:
    """Return the only instant of a one-shot."""
    return created_at + timedelta(seconds=seconds)


def one_shot(name: str, seconds: float, **settings: object) -> Subject:
    """Name a job of one instant."""
    schedule: dict[str, object] = {"kind": "delay", "delay_seconds": seconds}
    return Subject(
        name=name, schedule=schedule, named=once(partial(delayed, seconds)), settings=settings
    )


def retried(seconds: float) -> dict[str, object]:
    """Have one retry, so long after the first attempt."""
    fixed = {"backoff": "fixed", "initial_delay_seconds": seconds, "jitter": False}
    return {"retry": {"max_attempts": 2, "max_delay_seconds": seconds, **fixed}}


def recurring() -> Iterator[Subject]:
    """A rate, a cron, a job of each minute, and one of a pool."""
    yield Subject(name="rate", schedule=rate(5), named=every(5))
    cron = {"kind": "cron", "cron": "*/10 * * * * *", "timezone": ZONE}
    yield Subject(name="cron", schedule=cron, named=shown(ZONE, TENS))
    minutely = {"kind": "cron", "cron": "* * * * *"}
    yield Subject(name="minutely", schedule=minutely, named=shown("UTC", {0}))
    yield Subject(name=POOL, schedule=rate(10), named=every(10))


def at_the_cut() -> Iterator[Subject]:
    """One-shots and retries on both sides of the promotion, and a call that is not answered."""
    for seconds in (1, 60, LENGTH.total_seconds() + 35, LENGTH.total_seconds() + 110):
        yield one_shot(f"once-{seconds:.0f}", seconds)
    yield one_shot("retried-soon", 1, **retried(SOON))
    yield one_shot("retried-later", 1, **retried(LATER))
    yield one_shot("held", 1, **PATIENT)


@dataclass
class PairCourse:
    """Jobs of one tenant, whose key opens both regions."""

    apis: Mapping[str, httpx.Client]
    recorder: Recorder
    jobs: list[tuple[Subject, dict[str, Any]]] = field(default_factory=list)
    dag_runs: dict[str, str] = field(default_factory=dict)

    def create(self, *subjects: Subject) -> None:
        """Make jobs in the first region."""
        for subject in subjects:
            action: dict[str, object] = {"type": "webhook", "url": self.recorder.url(subject.name)}
            if subject.name == POOL:
                action = {"type": "worker", "pool": POOL, "handler": "note"}
            fields = {**subject.fields, "action": action}
            self.jobs.append((subject, self._made(HOME, "/v1/jobs", fields)))

    def start_dag(self, name: str) -> None:
        """Start a run of a DAG in the first region."""
        names = [f"{name}-{task}" for task in TASKS]
        tasks = [hook(self.recorder, each) for each in names]
        for task in tasks:
            task["job"] |= PATIENT
        edges = [{"source": a, "target": b} for a, b in pairwise(names)]
        dag = self._made(HOME, "/v1/dags", {"name": name, "tasks": tasks, "edges": edges})
        run = self._made(HOME, f"/v1/dags/{dag['dag_id']}/runs", {})
        self.dag_runs[name] = run["dag_run_id"]

    def fires(self) -> None:
        """Wait until the first region has run a little of everything."""
        self.recorder.wait_for("rate", 5, seconds=PATIENCE)
        self.recorder.wait_for("cron", 2, seconds=PATIENCE)
        self.dag_ends(HOME, WHOLE, "succeeded")

    def stands_at_the_cut(self) -> None:
        """Have calls under way, and retries to come, that both regions know of."""
        for name in ("retried-soon", "retried-later"):
            self.recorder.answer(name, 503)
        for name in ("held", f"{PARTED}-then"):
            self.recorder.hold(name)
        self.create(*at_the_cut())
        self.start_dag(PARTED)
        for name in ("retried-soon", "retried-later", "held", f"{PARTED}-then"):
            self.recorder.wait_for(name, 1, seconds=PATIENCE)
        wait_until(lambda: self._known(OTHER) or None, seconds=PATIENCE, pause=0.5)

    def dag_ends(self, region: str, name: str, status: str) -> dict[str, Any]:
        """Wait until a region has a DAG run on record as ended so; the run."""

        def look() -> dict[str, Any] | None:
            run = self.dag_run(region, name)
            return run if run["status"] == status else None

        return wait_until(look, seconds=PATIENCE, pause=1, what=lambda: self.dag_run(region, name))

    def dag_run(self, region: str, name: str) -> dict[str, Any]:
        """Read a DAG run in a region."""
        found: dict[str, Any] = self.apis[region].get(f"/v1/dag-runs/{self.dag_runs[name]}").json()
        return found

    def records(self, region: str, until: datetime) -> list[Record]:
        """Return what a region has on record of each job."""
        return [
            Record(
                subject=subject,
                instants=subject.named(read(job["created_at"]), until),
                entries=ledger(self.apis[region], job, until),
            )
            for subject, job in self.jobs
        ]

    def settles(self, region: str, until: datetime) -> list[Record]:
        """Wait until each instant is on record in a region, and has ended."""

        def look() -> list[Record] | None:
            found = self.records(region, until)
            return found if all(each.is_whole for each in found) else None

        return wait_until(look, seconds=PATIENCE, pause=2, what=lambda: self._open(region, until))

    def calls(self, name: str) -> list[Request]:
        """Return the calls of a job's target."""
        return self.recorder.requests(name)

    def first_call(self, since: datetime, *, seconds: float) -> datetime:
        """Wait for a call that arrives after an instant; when the first one did."""

        def look() -> datetime | None:
            found = [
                call.arrived_at
                for subject, _ in self.jobs
                for call in self.calls(subject.name)
                if call.arrived_at >= since
            ]
            return min(found, default=None)

        return wait_until(look, seconds=seconds, pause=0.5)

    def _open(self, region: str, until: datetime) -> list[object]:
        found = [each for each in self.records(region, until) if not each.is_whole]
        return [
            (each.subject.name, sorted(set(each.instants) - each.accounted()), each.open())
            for each in found
        ]

    def _known(self, region: str) -> bool:
        paths = [f"/v1/jobs/{job['job_id']}" for _, job in self.jobs]
        paths += [f"/v1/dag-runs/{each}" for each in self.dag_runs.values()]
        return all(self.apis[region].get(path).status_code == 200 for path in paths)

    def _made(self, region: str, path: str, fields: Mapping[str, object]) -> dict[str, Any]:
        answer = self.apis[region].post(path, json=fields)
        assert answer.is_success, answer.text
        made: dict[str, Any] = answer.json()
        return made
