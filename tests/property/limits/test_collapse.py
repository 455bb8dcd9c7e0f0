"""Triggers that collapse: whatever comes when, the runs are those of the oracle."""

import json
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from itertools import count

from hypothesis import given
from hypothesis import strategies as st

from tests.property.limits.collapse_oracle import Asked, Ran, Rules, runs
from tests.support.api import api_services
from tests.support.factories import NOW, job_factory
from tests.support.world import World
from timegate.domain.execution.triggers import Trigger
from timegate.domain.jobs.job import Job
from timegate.domain.limits.collapse import Collapse, CollapseMode
from timegate.domain.runs.conclusion import end
from timegate.domain.runs.run import Attempt, RunState
from timegate.domain.runs.run_states import Reason
from timegate.domain.values.identity import RunId
from timegate.usecases.jobs.trigger_job import Triggering, trigger_job
from timegate.usecases.jobs.trigger_many import InBatch, TriggerBatch, trigger_many
from timegate.usecases.runs.read_window import with_window

rules = st.builds(
    Rules,
    mode=st.sampled_from(CollapseMode).map(str),
    span=st.integers(1, 20),
    longest=st.integers(20, 60),
    behind=st.sampled_from([0, 1, 7, 40]),
    takes=st.sampled_from([0, 1, 30]),
)
#: Seconds between triggers, and the key of each.
gaps = st.lists(st.tuples(st.integers(0, 25), st.sampled_from("ab")), min_size=1, max_size=25)


@dataclass
class Story:
    """A job, and an executor of its runs by the clock."""

    rules: Rules
    world: World = field(default_factory=World)
    #: Each trigger's run, by place.
    answered: dict[int, RunId] = field(default_factory=dict)
    begun: dict[RunId, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        rule = Collapse(
            mode=CollapseMode(self.rules.mode),
            span_seconds=self.rules.span,
            max_wait_seconds=self.rules.longest if self.rules.mode == "last" else None,
        )
        self.job: Job = self.world.jobs.create(job_factory(collapse=rule))
        self.services = api_services(self.world)

    def until(self, second: int) -> None:
        """Begin and end what begins and ends by then, one after the other."""
        while True:
            steps = [(self._next(each), each.id, each) for each in self._open()]
            if not steps or min(steps)[0] > second:
                return
            at, _, attempt = min(steps)
            self._work(attempt, at)

    def _open(self) -> list[Attempt]:
        return [each for each in self.world.tables.attempts.values() if not each.ends_run]

    def _next(self, attempt: Attempt) -> int:
        """The second at which it begins, or ends."""
        if attempt.state is RunState.RUNNING:
            return self.begun[attempt.id.run] + self.rules.takes
        return int((attempt.due_at - NOW).total_seconds()) + self.rules.behind

    def _work(self, attempt: Attempt, at: int) -> None:
        if attempt.state is RunState.RUNNING:
            now = NOW + timedelta(seconds=at)
            assert self.world.runs.replace(attempt, end(attempt, RunState.SUCCEEDED, now=now))
        else:
            self.begun[attempt.id.run] = at
            running = replace(attempt, state=RunState.RUNNING, fence=1)
            assert self.world.runs.replace(attempt, running)

    def trigger(self, asked: Asked, now: datetime) -> None:
        """Trigger the job alone."""
        request = Triggering(
            tenant=self.job.tenant, job_id=self.job.job_id, trigger=_trigger(asked)
        )
        answer = trigger_job(request, self.services, now=now)
        self.answered[asked.place] = answer.attempts[-1].id.run

    def trigger_all(self, asked: list[Asked], now: datetime) -> None:
        """Trigger the job in a batch."""
        batch = TriggerBatch(
            tenant=self.job.tenant,
            job_id=self.job.job_id,
            triggers=[(each.place, _trigger(each)) for each in asked],
        )
        for each, answer in zip(asked, trigger_many(batch, self.services, now=now), strict=True):
            assert isinstance(answer, InBatch)
            self.answered[each.place] = answer.run

    def ran(self) -> list[Ran]:
        """Return the runs that the records show."""
        groups: dict[RunId, list[int]] = {}
        for place, run in self.answered.items():
            attempts = with_window(self.world.runs.attempts(self.job.tenant, run), self.world.runs)
            mark = attempts[-1].collapse
            assert mark is not None
            assert (mark.into is None) == (attempts[-1].reason is not Reason.COLLAPSED)
            groups.setdefault(mark.into or run, []).append(place)
        places = {run: place for place, run in self.answered.items()}
        found = [
            Ran(trigger=places[run], begun=self.begun[run], of=tuple(sorted(of)))
            for run, of in groups.items()
        ]
        return sorted(found, key=lambda each: (each.begun, each.trigger))


def _trigger(asked: Asked) -> Trigger:
    return Trigger(payload=json.dumps(asked.place), collapse_key=asked.key)


def asked_of(course: list[tuple[int, str]]) -> list[Asked]:
    """Triggers at their instants."""
    at, places = 0, count()
    found = []
    for gap, key in course:
        at += gap
        found.append(Asked(place=next(places), at=at, key=key))
    return found


@given(rules=rules, course=gaps)
def test_triggers_are_the_runs_of_the_oracle(rules: Rules, course: list[tuple[int, str]]) -> None:
    """Each trigger is one run's; that has the data of its own, and begins when the rule says."""
    story, asked = Story(rules), asked_of(course)
    for each in asked:
        story.until(each.at)
        story.trigger(each, NOW + timedelta(seconds=each.at))
    story.until(asked[-1].at + rules.longest + rules.behind + rules.takes + 1)

    assert story.ran() == runs(asked, rules)
    for attempt in story.world.attempts():
        mark = attempt.collapse
        assert mark is not None
        window = story.world.runs.window_of(attempt.tenant, story.job.job_id, mark)
        assert window is not None
        of = next(each for each in story.ran() if story.answered[each.trigger] == window.run)
        assert window.triggers == len(of.of)


@given(rules=rules, course=gaps)
def test_batches_are_the_runs_of_the_oracle(rules: Rules, course: list[tuple[int, str]]) -> None:
    """Triggers of one instant come in one request."""
    story, asked = Story(rules), asked_of(course)
    for at in sorted({each.at for each in asked}):
        story.until(at)
        together = [each for each in asked if each.at == at]
        story.trigger_all(together, NOW + timedelta(seconds=at))
    story.until(asked[-1].at + rules.longest + rules.behind + rules.takes + 1)

    assert story.ran() == runs(asked, rules)
