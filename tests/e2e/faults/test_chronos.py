"""Every instant of jobs of all kinds, with a planner that goes dark in between.

Each target instant is matched to one run, or to a skip that the ledger explains; there is nothing
else, and the targets were called by exactly the runs that succeeded. ``chronos_subjects`` counts
the instants without the product.

The course of ``make test`` is scaled down: runs are planned 15 s ahead instead of ten minutes, with
a tick every few seconds, so that an outage of a minute and a half leaves something behind.
``make chronos`` keeps what is deployed and takes half an hour.
"""

import os
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from infra.local.demo.show import warm
from infra.local.webhook_target import Recorder
from tests.support.deployed.chaos.chronos_judge import Band, Entry, Trial, complaints, read
from tests.support.deployed.chaos.chronos_subjects import Subject, subjects_before, subjects_during
from tests.support.deployed.planner_outage import Darkness
from tests.support.deployed.reconfiguring import kept_as_they_were, reconfigure
from tests.support.deployed.stack import Stack, switch_schedule, wait_until
from timegate.domain.planning.roll_ahead import NEAR

SHARDS = [0, 1, 2, 3]
#: The planner's shards are kept from it for so much longer than the outage, should the test die.
DARK_SLACK = timedelta(minutes=1)
ENDED = {"succeeded", "skipped"}


@dataclass(frozen=True, kw_only=True)
class Course:
    """Durations of a course's parts."""

    look_ahead: timedelta
    before: timedelta
    outage: timedelta
    after: timedelta
    tick_every: timedelta

    @property
    def whole(self) -> timedelta:
        """From the first job to the last instant that is judged."""
        return self.before + self.outage + self.after


COURSES = {
    "short": Course(
        look_ahead=timedelta(seconds=15),
        before=timedelta(seconds=22),
        outage=timedelta(seconds=88),
        after=timedelta(seconds=20),
        tick_every=timedelta(seconds=4),
    ),
    "long": Course(
        look_ahead=timedelta(seconds=600),
        before=timedelta(seconds=240),
        outage=timedelta(seconds=900),
        after=timedelta(seconds=360),
        tick_every=timedelta(seconds=45),
    ),
}
COURSE = COURSES[os.environ.get("TIMEGATE_CHRONOS", "short")]


@dataclass
class Show:
    """The stack, and what was done to it so far."""

    stack: Stack
    recorder: Recorder
    queue_url: str
    darkness: Darkness
    started_at: datetime = field(default_factory=lambda: datetime.now(UTC))
    jobs: list[tuple[Subject, dict[str, Any], Band]] = field(default_factory=list)

    def create(self, subjects: list[Subject]) -> None:
        """Create jobs; the API plans their first instants, whatever the planner does."""
        for subject in subjects:
            url = self.recorder.url(f"chronos-{subject.name}")
            hook = {"type": "webhook", "url": url}
            queue = {"type": "sqs", "queue_url": self.queue_url}
            begun_at = datetime.now(UTC)
            fields = subject.fields | {"action": queue if subject.to_queue else hook}
            job = self.stack.create_job(**fields)
            done = Band(earliest=begun_at, latest=datetime.now(UTC))
            self.jobs.append((subject, job, done))

    def tick(self) -> Band:
        """Let the planner look after every shard; when that was."""

        def look() -> Band | None:
            begun_at = datetime.now(UTC)
            done = self.stack.invoke("PlannerFunctionName", {"shards": SHARDS})
            if done["shards"] != len(SHARDS):
                return None
            return Band(earliest=begun_at, latest=datetime.now(UTC))

        return wait_until(look, seconds=120, pause=0.5)

    def tick_until(self, moment: datetime) -> None:
        """Ticks at their pace."""
        while datetime.now(UTC) < moment:
            self.tick()
            pause = min(COURSE.tick_every, moment - datetime.now(UTC))
            time.sleep(max(pause.total_seconds(), 0))

    def switch_ticks(self, state: str) -> None:
        """Switch the planner's schedule on or off, as an operator would."""
        switch_schedule(self.stack, "PlannerFunctionName", state)

    def ledger(self, job: dict[str, Any], until: datetime) -> list[Entry]:
        """The ledger of a job from its creation on, page by page."""
        entries: list[Entry] = []
        params = {"from": job["created_at"], "to": until.isoformat(), "limit": 500}
        while True:
            answer = self.stack.api.get(f"/v1/jobs/{job['job_id']}/ledger", params=params)
            assert answer.status_code == 200, answer.text
            entries += answer.json()["items"]
            if answer.json()["next_cursor"] is None:
                return [self._dated(entry) for entry in entries]
            params = params | {"cursor": answer.json()["next_cursor"]}

    def _dated(self, entry: Entry) -> Entry:
        """Return the entry; a late one with the moment in which its lateness was found."""
        if entry["reason"] != "late":
            return entry
        run = self.stack.api.get(f"/v1/runs/{entry['run_id']}").json()
        return {**entry, "ended_at": run["ended_at"]}

    def go_dark(self) -> Band:
        """No tick from now on; when the last one was."""
        self.switch_ticks("DISABLED")
        last = self.tick()
        self.darkness.fall(COURSE.outage + DARK_SLACK)
        stray = self.stack.invoke("PlannerFunctionName", {"shards": SHARDS})

        assert stray["shards"] == 0
        return Band(earliest=last.earliest, latest=datetime.now(UTC))

    def light_up(self) -> Band:
        """Ticks again; when the first one was."""
        lit_at = datetime.now(UTC)
        self.darkness.lift()
        self.switch_ticks("ENABLED")
        return Band(earliest=lit_at, latest=self.tick().latest)

    def change(self, action: str) -> Band:
        """Pause or resume the subject that is paused; when that was."""
        (job,) = [job for subject, job, _ in self.jobs if subject.is_paused]
        begun_at = datetime.now(UTC)
        assert self.stack.api.post(f"/v1/jobs/{job['job_id']}/{action}").status_code == 200
        return Band(earliest=begun_at, latest=datetime.now(UTC))

    def calls(self, subject: Subject) -> list[tuple[str, datetime]]:
        """Run and instant of each call that the subject's target received."""
        if not subject.to_queue:
            return [
                (request.run_id, read(request.headers["timegate-scheduled-at"]))
                for request in self.recorder.requests(f"chronos-{subject.name}")
            ]
        sqs, calls = self.stack.aws("sqs"), []
        options = {"MaxNumberOfMessages": 10, "MessageAttributeNames": ["All"]}
        while messages := sqs.receive_message(QueueUrl=self.queue_url, **options).get("Messages"):
            for message in messages:
                told = {k: v["StringValue"] for k, v in message["MessageAttributes"].items()}
                calls.append((told["run_id"], read(told["scheduled_at"])))
        return calls


@contextmanager
def planned_ahead(stack: Stack, look_ahead: timedelta) -> Iterator[None]:
    """Let planner and API plan so far ahead, and put it back in the end."""
    functions = ("PlannerFunctionName", "ApiFunctionName")
    seconds = str(int(look_ahead.total_seconds()))
    with kept_as_they_were(stack, *functions):
        for output in functions:
            reconfigure(stack, output, LOOK_AHEAD_SECONDS=seconds)
        yield


@pytest.fixture
def show(stack: Stack, recorder: Recorder) -> Iterator[Show]:
    """A stack at the beginning of the course; its planner ticks again when it ends."""
    queue_url = stack.aws("sqs").create_queue(QueueName=stack.target("chronos"))["QueueUrl"]
    with planned_ahead(stack, COURSE.look_ahead):
        warm(stack.cloud, stack.outputs)
        stack.invoke("PlannerFunctionName", {"shards": SHARDS})
        stack.api.get("/v1/jobs")
        show = Show(stack, recorder, queue_url, Darkness(stack, SHARDS))
        try:
            yield show
        finally:
            show.light_up()
            for _, job, _ in show.jobs:
                stack.api.delete(f"/v1/jobs/{job['job_id']}")


def all_ended(show: Show, until: datetime) -> bool | None:
    """Return whether each due run has ended."""
    entries = (entry for _, job, _ in show.jobs for entry in show.ledger(job, until))
    return all(entry["kind"] == "gap" or entry["state"] in ENDED for entry in entries) or None


def test_every_instant_is_matched_through_an_outage(show: Show) -> None:
    """Jobs of all kinds; the planner goes dark, and comes back."""
    start = show.started_at
    dark_at, end = start + COURSE.before, start + COURSE.whole
    show.create(subjects_before(start, outage=COURSE.before + COURSE.outage / 2, end=end))
    show.tick_until(start + COURSE.before / 2)
    paused = show.change("pause")
    show.tick_until(dark_at)

    last = show.go_dark()
    went_dark = Band(
        earliest=last.earliest + min(COURSE.look_ahead, NEAR),
        latest=last.latest + COURSE.look_ahead,
    )
    dark_at, back_at = last.latest, last.latest + COURSE.outage
    sleep_until(dark_at + COURSE.outage / 2)
    show.create(subjects_during(datetime.now(UTC), back_at + COURSE.after))
    sleep_until(back_at)
    back = show.light_up()

    show.tick_until(back_at + COURSE.after / 2)
    resumed = show.change("resume")
    show.tick_until(back_at + COURSE.after)
    until = datetime.now(UTC)
    wait_until(lambda: all_ended(show, until), seconds=120, what=lambda: "runs have not ended")
    judge(show, until, went_dark, back, (paused, resumed))


def judge(
    show: Show, until: datetime, went_dark: Band, back: Band, paused: tuple[Band, Band]
) -> None:
    """Ledgers against the oracle, and calls against ledgers."""
    found: list[str] = []
    left_out = late = 0
    for subject, job, created in show.jobs:
        own = Band(
            earliest=max(went_dark.earliest, created.earliest + COURSE.look_ahead),
            latest=max(went_dark.latest, created.latest + COURSE.look_ahead),
        )
        trial = Trial(
            subject=subject,
            named=subject.named(read(job["created_at"]), until),
            entries=show.ledger(job, until),
            planned=own,
            back=back,
            paused=paused if subject.is_paused else None,
        )
        found += complaints(trial)
        ran = [(r["run_id"], read(r["instant"])) for r in trial.runs if r["state"] == "succeeded"]
        called = [call for call in show.calls(subject) if call[1] <= until]
        if sorted(called) != sorted(ran):
            odd = Counter(called) - Counter(ran) or Counter(ran) - Counter(called)
            found.append(f"{subject.name}: not called by just what succeeded: {sorted(odd)}")
        left_out += len(trial.covered("missed_window"))
        late += len(trial.ended("skipped", "late"))

    assert not found, "\n".join(found)
    assert left_out > 0
    assert late > 0


def sleep_until(moment: datetime) -> None:
    """The outage takes the time it takes."""
    time.sleep(max((moment - datetime.now(UTC)).total_seconds(), 0))
