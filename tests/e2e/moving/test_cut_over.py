"""A tenant moves between two deployed stages while its jobs fire: each instant fires in one."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest

from infra.local.clock import CloudClock
from infra.local.cloud import LocalCloud
from infra.local.deployment import ROOT, deploy, deploy_assembly, synthesise_into
from infra.local.webhook_target import Recorder
from tests.support.deployed.chaos.chronos_judge import read
from tests.support.deployed.chaos.chronos_subjects import Subject, every, rate, shown, text
from tests.support.deployed.stack import Stack, wait_until

pytestmark = pytest.mark.deep

OLD, NEW, TENANT, LEAVER = "local", "local-b", "mover", "leaver"
#: The exit code of a command that comes too early.
REFUSED = 1
SHARDS = list(range(4))
PATIENCE = 240.0
#: Step of the rate.
STEP = timedelta(seconds=25)
#: Before the cut-over: its beginning, earlier than it has to be, and its closing, later.
NOTICE, CLOSING = timedelta(minutes=17), timedelta(minutes=2)
#: From the closing to the opening.
SETTLED = timedelta(seconds=95)
#: From a suspension until no invocation is at work that had not heard of it, and a little more.
SUSPENDED = timedelta(minutes=17)
#: Behind the cut-over, until when the new stage's instants are judged.
AFTER = timedelta(seconds=90)


@pytest.fixture(autouse=True)
def no_job_outlives_its_test() -> None:
    """The session's own stack is not needed here."""


@dataclass
class Stages:
    """Two stages of one cloud, whose clock can be set."""

    old: Stack
    new: Stack
    clock: CloudClock
    jobs: list[tuple[Subject, dict[str, Any]]] = field(default_factory=list)

    def admin(self, *words: str, code: int = 0) -> str:
        """Give an operator's command, at the cloud's time, that ends with this code."""
        own = {**self.old.cloud.environment, **self.clock.environment}
        done = subprocess.run(
            [sys.executable, "-m", "timegate.cli", "admin", *words],
            cwd=ROOT,
            env={**os.environ, **own},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == code, f"{words}: {done.stdout}{done.stderr}"
        return done.stderr

    def move(self, step: str, *words: str, code: int = 0) -> str:
        """Take a step of the tenant's move."""
        ends = ("--from", OLD, "--to", NEW, "--tenant", TENANT)
        return self.admin("move", step, *ends, *words, code=code)

    def tick(self) -> None:
        """Wake the planners of both stages, as their schedules do each minute."""
        for stack in (self.old, self.new):
            stack.invoke("PlannerFunctionName", {"shards": SHARDS})


@pytest.fixture(scope="module")
def stages(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stages]:
    """Both are deployed before the clock is set."""
    home = tmp_path_factory.mktemp("stages")
    cloud = LocalCloud.start(
        home / "cloud", auth=os.environ.get("TIMEGATE_E2E_AUTH") == "1", settable=True
    )
    try:
        other = synthesise_into(home / "assembly", stage=NEW, like=OLD)
        old = Stack(cloud, deploy(cloud))
        new = Stack(cloud, deploy_assembly(cloud, other, home / "outputs.json"))
        assert cloud.clock is not None
        with old.clients, new.clients:
            yield Stages(old, new, cloud.clock)
    finally:
        cloud.stop()


def subjects() -> Iterator[Subject]:
    """A rate and a cron; the cut-over is an instant of the cron's."""
    yield Subject(name="moving-rate", schedule=rate(STEP.seconds), named=every(STEP.seconds))
    cron = {"kind": "cron", "cron": "*/30 * * * * *", "timezone": "Asia/Kathmandu"}
    yield Subject(name="moving-cron", schedule=cron, named=shown("Asia/Kathmandu", {0, 30}))


def ledger(api: httpx.Client, job: dict[str, Any], until: datetime) -> list[dict[str, Any]]:
    """Every record of a job's instants in a stage."""
    params = {"from": job["created_at"], "to": text(until), "limit": "500"}
    answer = api.get(f"/v1/jobs/{job['job_id']}/ledger", params=params)
    assert answer.status_code == 200, answer.text
    items: list[dict[str, Any]] = answer.json()["items"]
    return items


def create(stages: Stages, api: httpx.Client, recorder: Recorder) -> None:
    """Make the tenant's jobs in the stage that it leaves."""
    for subject in subjects():
        action = {"type": "webhook", "url": recorder.url(subject.name)}
        answer = api.post("/v1/jobs", json={**subject.fields, "action": action})
        assert answer.status_code == 201, answer.text
        stages.jobs.append((subject, answer.json()))


def moved(stages: Stages, file: Path) -> bool | None:
    """Copy the tenant and open the new stage; ``None``: it is refused yet."""
    for left in (file, file.with_name(f"{file.name}.part")):
        left.unlink(missing_ok=True)
    stages.admin("export", str(file), "--stage", OLD, "--tenant", TENANT)
    stages.admin("import", str(file), "--stage", NEW)
    with suppress(AssertionError):
        stages.move("open")
        return True
    # A frequent job announces its next runs to the next tick.
    stages.tick()
    return None


Ledgers = tuple[list[dict[str, Any]], list[dict[str, Any]]]


@dataclass(frozen=True)
class Judge:
    """Both stages, read by keys of the tenant."""

    old: httpx.Client
    new: httpx.Client
    until: datetime

    def ledgers(self, job: dict[str, Any]) -> Ledgers:
        """Return what the old stage has of a job's instants, and the new one."""
        return ledger(self.old, job, self.until), ledger(self.new, job, self.until)

    def ended(self, subject: Subject, job: dict[str, Any]) -> bool:
        """Tell if every instant is on record somewhere, and whatever became of it has ended."""
        found = [entry for each in self.ledgers(job) for entry in each]
        has_all = len(found) >= len(subject.named(read(job["created_at"]), self.until))
        return has_all and all(entry.get("state") == "succeeded" for entry in found)

    def judge(
        self, subject: Subject, job: dict[str, Any], recorder: Recorder, *, at: datetime
    ) -> None:
        """Hold each stage to its side of the cut-over, and each run to one call."""
        before, after = self.ledgers(job)
        entries = [*before, *after]
        instants = [read(entry["instant"]) for entry in entries]
        ids = [entry["run_id"] for entry in entries]
        called = [call.run_id for call in recorder.requests(subject.name)]

        assert before, subject.name
        assert after, subject.name
        assert instants[len(before) - 1] < at <= instants[len(before)], subject.name
        assert instants == subject.named(read(job["created_at"]), self.until), subject.name
        assert sorted(each for each in called if each in ids) == sorted(ids), subject.name


def opened(stages: Stages, old: httpx.Client, file: Path, at: datetime) -> httpx.Client:
    """Take the steps after the beginning, each when it may be; the tenant's client there."""
    stages.clock.jump_to(at - CLOSING)
    stages.tick()
    stages.move("close")
    refused = old.post("/v1/jobs", json={"name": "late", "schedule": {"kind": "immediate"}})
    assert (refused.status_code, refused.json()["code"]) == (409, "tenant_moving"), refused.text
    stages.move("open", code=REFUSED)
    stages.clock.jump_to(stages.clock.now() + SETTLED)
    wait_until(lambda: moved(stages, file), seconds=PATIENCE, pause=1)
    made = stages.new.admin.post(f"/v1/tenants/{TENANT}/keys", json={"name": "moved"})
    assert made.status_code == 201, made.text
    return stages.new.by_key(made.json()["api_key"])


def test_each_instant_fires_in_one_of_two_stages(
    stages: Stages, recorder: Recorder, tmp_path: Path
) -> None:
    """Judge by both ledgers, and by the calls that the target received from either stage."""
    made = stages.old.admin.post("/v1/tenants", json={"tenant": TENANT})
    assert made.status_code == 201, made.text
    with stages.old.by_key(made.json()["key"]["api_key"]) as old:
        create(stages, old, recorder)
        at = (stages.clock.now() + NOTICE).replace(second=30, microsecond=0)
        stages.move("begin", "--at", f"{at:%Y-%m-%dT%H:%M:%SZ}")
        stages.clock.jump_to(stages.clock.now() + STEP)
        recorder.wait_for("moving-rate", 1, seconds=PATIENCE)
        with opened(stages, old, tmp_path / "tenant.export", at) as new:
            judge = Judge(old, new, at + AFTER)
            stages.clock.jump_to(judge.until)
            stages.tick()
            wait_until(
                lambda: all(judge.ended(*each) for each in stages.jobs) or None,
                seconds=PATIENCE,
                pause=1,
                what=lambda: [judge.ledgers(job) for _, job in stages.jobs],
            )
            for subject, job in stages.jobs:
                judge.judge(subject, job, recorder, at=at)


def partitions(stack: Stack) -> set[str]:
    """The partitions of the leaver's in both tables."""
    tables, found = stack.aws("dynamodb"), set[str]()
    for output in ("JobsTableName", "RunsTableName"):
        pages = tables.get_paginator("scan").paginate(
            TableName=stack.outputs[output], ProjectionExpression="pk"
        )
        found |= {item["pk"]["S"] for page in pages for item in page["Items"]}
    return {each for each in found if each.startswith(f"{LEAVER}#")}


def test_a_tenant_is_exported_then_erased(
    stages: Stages, recorder: Recorder, tmp_path: Path
) -> None:
    """By an operator's commands: nothing of it is left, and its name is not given again."""
    stack, file = stages.old, tmp_path / "left.export"
    made = stack.admin.post("/v1/tenants", json={"tenant": LEAVER})
    action = {"type": "webhook", "url": recorder.url(LEAVER)}
    job = {"name": "left", "schedule": {"kind": "immediate"}, "action": action}
    with stack.by_key(made.json()["key"]["api_key"]) as api:
        job_id = api.post("/v1/jobs", json=job).raise_for_status().json()["job_id"]
        path = f"/v1/jobs/{job_id}"
        wait_until(lambda: api.get(path).json()["status"] == "completed" or None, seconds=PATIENCE)
        stack.admin.post(f"/v1/tenants/{LEAVER}/suspend", json={}).raise_for_status()
        held = partitions(stack)
        stages.clock.jump_to(stages.clock.now() + SUSPENDED)
        stages.admin("export", str(file), "--stage", OLD, "--tenant", LEAVER, "--history")
        stages.admin("erase", LEAVER, "--stage", OLD, "--exported", str(file), "--yes")
        refused = api.get(path)
    again = stack.admin.post("/v1/tenants", json={"tenant": LEAVER})

    assert held
    assert partitions(stack) == set()
    assert (refused.status_code, refused.json()["code"]) == (401, "api_key_unknown")
    assert (again.status_code, again.json()["code"]) == (409, "tenant_exists")
