"""The course of a scenario: planner, executors and callers by turns, on a clock that jumps.

Nothing is decided here. Every decision is the domain function that the use cases call, in the
order in which they call it; a property test holds the ledger of both against each other.
"""

from collections.abc import Sequence

from timegate.domain.simulation.agenda import Agenda, EventOrder
from timegate.domain.simulation.executors import Executors
from timegate.domain.simulation.job_course import JobCourse
from timegate.domain.simulation.knowledge import Knowledge
from timegate.domain.simulation.ledger_rows import Simulated
from timegate.domain.simulation.parsing.scenario_rules import check_scenario
from timegate.domain.simulation.scenario import MAX_INSTANTS, STEPS_PER_INSTANT, Scenario
from timegate.domain.simulation.triggered import TriggeredCourse


def simulate(scenario: Scenario, *, most_instants: int = MAX_INSTANTS) -> Simulated:
    """The ledgers of the scenario's range; raises ``InvalidInput`` naming the field.

    Ticks and changes end with the range. What was planned by then is carried to its end, however
    long an executor's outage, or other runs, delay it.
    """
    check_scenario(scenario, most_instants=most_instants)
    first = min(job.created_at for job in scenario.jobs)
    agenda = Agenda(first, most_steps=most_instants * STEPS_PER_INSTANT)
    knowledge = Knowledge(scenario)
    executors = Executors(scenario, agenda, knowledge)
    courses = [
        TriggeredCourse(
            job,
            scenario,
            agenda=agenda,
            knowledge=knowledge,
            publish=executors.publish,
            supersede=executors.supersede,
        )
        for job in scenario.jobs
    ]
    for at in knowledge.changes:
        if first < at < scenario.end:
            # Nothing happens then, but who is frozen may be looked at earlier, or later.
            agenda.at(at, EventOrder.RESUME, lambda _: None)
    for course in courses:
        course.begin()
    while _step(courses, agenda):
        pass
    return Simulated(ledgers=tuple(course.ledger() for course in courses))


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
