"""Previews of edits against the use cases: what is said is what two replays differ in."""

import re
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.examples import some
from tests.property.recurrence.strategies.schedule_strategies import instants
from tests.property.restrictions.restriction_strategies import NAMES, calendars, freezes, rules
from tests.property.simulation.scenario_strategies import MOSTLY_OFTEN, moments, schedules
from tests.support.factories import TENANT
from tests.support.simulation.replay import Replay, Turn
from tests.support.simulation.simulating import changed, one_job
from timegate.domain.jobs.definition import JobChanges
from timegate.domain.previews.forthcoming import Coming
from timegate.domain.recurrence.schedule import ScheduleKind
from timegate.domain.runs.run import RunState
from timegate.domain.simulation import Edit, Pause, Scenario
from timegate.domain.values.errors import InvalidInput
from timegate.domain.values.instants import to_milliseconds
from timegate.usecases.jobs.change_job import JobRef
from timegate.usecases.previews.preview_edit import AskedPreview, PreviewedEdit, preview_edit

WINDOW = timedelta(minutes=75)
HALF_SECOND = timedelta(milliseconds=500)


@dataclass
class Previewing(Replay):
    """A replay that asks for a preview at the moment of the last edit."""

    scenario: Scenario
    edit: Edit
    found: list[PreviewedEdit] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__(self.scenario)

    def _carry(self, now: datetime) -> None:
        super()._carry(now)
        if not self.found and not getattr(self, "_asked", False):
            self._asked = True
            self._at(self.edit.at, Turn.EDIT, self._ask)

    def _ask(self, now: datetime) -> None:
        (job_id,) = self._jobs
        asked = AskedPreview(changes=JobChanges(schedule=self.edit.schedule), length=WINDOW)
        ref = JobRef(tenant=TENANT, job_id=job_id)
        self.found.append(preview_edit(ref, asked, self.services, now=now))


def ran(replay: Replay, after: datetime) -> dict[datetime, datetime]:
    """The instants of the window that ran, and when each was due."""
    return {
        each.id.run.scheduled_at: each.due_at
        for each in replay.world.attempts()
        if each.state is RunState.SUCCEEDED and after <= each.id.run.scheduled_at <= after + WINDOW
    }


@st.composite
def edited(draw: st.DrawFn) -> tuple[Scenario, Edit]:
    """A job, what restricts it, and an edit at which nothing else is unknown."""
    start = to_milliseconds(draw(instants).replace(microsecond=0))
    at = start + draw(st.integers(1, 4_000)) * timedelta(seconds=1) + HALF_SECOND
    kinds = MOSTLY_OFTEN[:6]
    first = replace(draw(schedules(start, 40, kinds=kinds)), jitter_seconds=0)
    second = replace(draw(schedules(at, 40, kinds=MOSTLY_OFTEN)), jitter_seconds=0)
    if draw(st.booleans()):
        first = replace(first, max_runs=draw(st.integers(1, 400)))
    if second.is_recurring and draw(st.booleans()):
        second = replace(second, max_runs=draw(st.integers(1, 400)))
    restricted = draw(st.booleans()) and second.kind is not ScheduleKind.IMMEDIATE
    known = draw(st.lists(freezes(moments(start, 60 * 2)), max_size=2))
    paused = draw(st.sampled_from([(), (), (), (Pause(start=at - HALF_SECOND),)]))
    scenario = one_job(
        schedule=first,
        start=start,
        end=at + WINDOW + timedelta(minutes=15),
        created_at=start,
        anchored_at=start,
        pauses=paused,
        calendar_rules=draw(rules) if restricted else (),
        calendars=tuple(draw(calendars(name, start)) for name in NAMES),
        freezes=tuple(
            replace(each, created_at=start, lifted_at=None)
            for each in known
            if start < each.starts_at and each.ends_at <= at + WINDOW
        ),
    )
    return scenario, Edit(at=at, schedule=second)


@settings(max_examples=some(30))
@given(story=edited())
def test_a_preview_is_the_difference_of_two_replays(story: tuple[Scenario, Edit]) -> None:
    """Gained, lost and moved instants, through stored runs, calendars, freezes and ``max_runs``."""
    scenario, edit = story
    left, made = Previewing(scenario, edit), Replay(changed(scenario, edits=(edit,)))
    try:
        made.run()
    except InvalidInput as refused:
        with pytest.raises(InvalidInput, match=re.escape(str(refused))):
            left.run()
        return
    left.run()
    before, after = ran(left, edit.at), ran(made, edit.at)
    (found,) = left.found
    shown = found.preview
    moved = [each for each in shown.moved if each.before.instant != each.after.instant]
    lost = [*shown.lost, *(each.before for each in moved)]
    gained = [*shown.gained, *(each.after for each in moved)]

    assert (shown.runs_before, shown.runs_after) == (len(before), len(after))
    assert as_due(lost) == {at: due for at, due in before.items() if at not in after}
    assert as_due(gained) == {at: due for at, due in after.items() if at not in before}


def as_due(instants: list[Coming]) -> dict[datetime, datetime]:
    """Return each instant's due instant."""
    return {each.instant: each.runs_at for each in instants}
