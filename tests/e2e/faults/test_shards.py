"""The number of shards goes up and down on the deployed stack while jobs fire.

A deployment tells functions one by one, may fail half-way, and may be taken back. So here: the API
is told a larger number and keeps to it, the planner is told that as well and a smaller one then,
all others never hear of it, and the stage's own ticks go on for the number they were made for.
Every instant runs once, although each of them believes in another number.
"""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from functools import partial
from typing import Any

import pytest
from botocore.exceptions import BotoCoreError, ClientError

from infra.local.webhook_target import Recorder
from tests.support.deployed.chaos.chronos_judge import read
from tests.support.deployed.chaos.chronos_subjects import SECOND, Subject, every, once, shown, text
from tests.support.deployed.reconfiguring import kept_as_they_were, reconfigure
from tests.support.deployed.stack import Stack, wait_until

pytestmark = pytest.mark.deep

#: Two more than the stage has, and two less.
RAISED, LOWERED = 6, 2
API, PLANNER = "ApiFunctionName", "PlannerFunctionName"
#: Instants become runs so shortly before they are due that every change meets some of them.
LOOK_AHEAD = {"LOOK_AHEAD_SECONDS": "3"}
#: So long each number is in force, once the planner has worked with it.
PHASE = 3.0
#: How long the jobs fire: all the while, on a machine that has nothing else to do.
FIRES = 18
THIRDS = set(range(0, 60, 3))


def recurring() -> list[Subject]:
    """Rates of both lanes, and a cron."""
    cron: dict[str, object] = {
        "kind": "cron",
        "cron": "*/3 * * * * *",
        "timezone": "Asia/Kathmandu",
        "max_runs": FIRES // 3,
    }
    rates = [
        Subject(
            name=f"shards-rate-{number}",
            schedule={
                "kind": "rate",
                "every_seconds": 2 + number,
                "max_runs": FIRES // (2 + number),
            },
            named=every(2 + number, most=FIRES // (2 + number)),
            settings={"precision": "subsecond" if number % 2 else "second"},
        )
        for number in range(2)
    ]
    named = shown("Asia/Kathmandu", THIRDS, most=FIRES // 3)
    return [*rates, Subject(name="shards-cron", schedule=cron, named=named)]


def single(number: int) -> Subject:
    """A moment that comes while the number of shards changes."""
    moment = (datetime.now(UTC) + (5 + number % 8) * SECOND).replace(microsecond=0)
    return Subject(
        name=f"shards-at-{number}",
        schedule={"kind": "at", "at": text(moment)},
        named=once(lambda _: moment),
    )


def ticked(stack: Stack, shards: int) -> bool | None:
    """Wake the planner as ticks for so many shards do; ``None``: it could not."""
    # A worker that is told something else while it is at work dies of it, as others do.
    with suppress(AssertionError, BotoCoreError, ClientError):
        stack.invoke(PLANNER, {"shards": list(range(shards)), "of": shards})
        return True
    return None


@contextmanager
def ticking(stack: Stack) -> Iterator[list[int]]:
    """Wake the planner again and again, with ticks for the number of shards that was put last.

    Until one is put, only the stage does.
    """
    told: list[int] = []
    over = threading.Event()

    def tick() -> None:
        while not over.wait(0.3):
            if not told:
                continue
            ticked(stack, told[-1])

    thread = threading.Thread(target=tick)
    thread.start()
    try:
        yield told
    finally:
        over.set()
        thread.join()


def ledger(stack: Stack, job: dict[str, Any], until: datetime) -> list[dict[str, Any]]:
    """Every record of a job's instants."""
    params = {"from": job["created_at"], "to": text(until), "limit": "500"}
    answer = stack.api.get(f"/v1/jobs/{job['job_id']}/ledger", params=params)
    assert answer.status_code == 200, answer.text
    items: list[dict[str, Any]] = answer.json()["items"]
    return items


def test_no_instant_is_lost_or_doubled_while_shards_come_and_go(
    stack: Stack, recorder: Recorder
) -> None:
    """By the ledger, and by the calls that the target received."""
    jobs: list[tuple[Subject, dict[str, Any]]] = []

    def create(subject: Subject) -> None:
        action = {"type": "webhook", "url": recorder.url(subject.name)}
        jobs.append((subject, stack.create_job(**subject.fields, action=action)))

    with kept_as_they_were(stack, API, PLANNER), ticking(stack) as told:
        reconfigure(stack, API, **LOOK_AHEAD, SHARDS=str(RAISED))
        for subject in recurring():
            create(subject)
        for phase, shards in enumerate((RAISED, LOWERED)):
            # No tick comes before it knows: what comes now waits in the shards of before.
            told.clear()
            for number in range(8):
                create(single(8 * phase + number))
            reconfigure(stack, PLANNER, **LOOK_AHEAD, SHARDS=str(shards))
            wait_until(partial(ticked, stack, shards), seconds=120)
            told.append(shards)
            time.sleep(PHASE)
        until = datetime.now(UTC) + 60 * SECOND
        wait_until(
            lambda: all_ended(stack, jobs, until),
            seconds=240,
            what=lambda: [ledger(stack, job, until) for _, job in jobs],
        )

    for subject, job in jobs:
        named = subject.named(read(job["created_at"]), until)
        found = ledger(stack, job, until)
        runs = [(entry["kind"], entry["state"], read(entry["instant"])) for entry in found]
        ids = {entry["run_id"] for entry in found}
        called = [call.run_id for call in recorder.requests(subject.name) if call.run_id in ids]
        assert runs == [("run", "succeeded", instant) for instant in named], subject.name
        assert sorted(called) == sorted(ids), subject.name


def all_ended(
    stack: Stack, jobs: list[tuple[Subject, dict[str, Any]]], until: datetime
) -> bool | None:
    """Return whether every instant is on record, and its run has succeeded."""
    for subject, job in jobs:
        found = ledger(stack, job, until)
        named = subject.named(read(job["created_at"]), until)
        if len(found) < len(named) or any(entry.get("state") != "succeeded" for entry in found):
            return None
    return True
