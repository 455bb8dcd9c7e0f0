"""The course of a scenario: planner, executors and callers by turns, on a clock that jumps.

Nothing is decided here. Every decision is the domain function that the use cases call, in the
order in which they call it; a property test holds the ledger of both against each other.
"""

from collections.abc import Sequence

from timegate.domain.simulation.agenda import Agenda, EventOrder
from timegate.domain.simulation.checks.scenario_rules import check_scenario
from timegate.domain.simulation.events.event_course import EventCourse
from timegate.domain.simulation.events.triggered import TriggeredCourse
from timegate.domain.simulation.executors import Executors
from timegate.domain.simulation.job_course import JobCourse
from timegate.domain.simulation.knowledge import Knowledge
from timegate.domain.simulation.ledger_rows import JobLedger, Simulated
from timegate.domain.simulation.notices.rule_looks import SimulatedRuleLooks
from timegate.domain.simulation.notices.told import Hearing
from timegate.domain.simulation.scenario import MAX_INSTANTS, STEPS_PER_INSTANT, Scenario


def simulate(scenario: Scenario, *, most_instants: int = MAX_INSTANTS) -> Simulated:
    """The ledgers of the scenario's range; raises ``InvalidInput`` naming the field.

    Ticks and changes end with the range. Runs planned by then are carried to their end, however
    long an executor's outage, or other runs, delay them.
    """
    check_scenario(scenario, most_instants=most_instants)
    first = min(job.created_at for job in scenario.jobs)
    agenda = Agenda(first, most_steps=most_instants * STEPS_PER_INSTANT)
    knowledge = Knowledge(scenario)
    executors = Executors(scenario, agenda, knowledge)
    hearing = Hearing(scenario=scenario, agenda=agenda)
    looks = SimulatedRuleLooks(scenario.rules, hearing)
    courses = [
        TriggeredCourse(
            job,
            scenario,
            knowledge=knowledge,
            publish=executors.publish,
            supersede=executors.supersede,
            withdraw=executors.withdraw,
            looks=looks,
        )
        for job in scenario.jobs
    ]
    for at in knowledge.changes:
        if first < at < scenario.end:
            # Nothing happens then, but who is frozen may be looked at earlier, or later.
            agenda.at(at, EventOrder.RESUME, lambda _: None)
    by_id = {course.job.job_id: course for course in courses}
    events = EventCourse(scenario=scenario, agenda=agenda, courses=by_id)
    for course in courses:
        course.begin()
    events.begin()
    while _step(courses, agenda):
        pass
    ledgers = tuple(course.ledger() for course in courses)
    return _found(ledgers, hearing, events)


def _found(ledgers: tuple[JobLedger, ...], hearing: Hearing, events: EventCourse) -> Simulated:
    return Simulated(
        ledgers=ledgers,
        notices=tuple(hearing.notices),
        events=tuple(events.rows),
        waits=events.waits(),
    )


def _step(courses: Sequence[JobCourse], agenda: Agenda) -> bool:
    """The next thing that happens; ``False`` when nothing does any more."""
    ticks = [(at, course) for course in courses if (at := course.next_tick()) is not None]
    tick_at = min((at for at, _ in ticks), default=None)
    upcoming = agenda.upcoming
    if tick_at is not None and (upcoming is None or (tick_at, EventOrder.TICK) < upcoming):
        agenda.now = tick_at
        for at, course in ticks:
            if at == tick_at:
                course.tick(tick_at)
        return True
    if upcoming is None:
        return False
    agenda.take()
    return True
