"""Places of ``max_runs``: what does not begin gives its own back, and the oldest that may begin."""

from datetime import datetime

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tests.examples import some
from tests.property.planning.places_oracle import Bounded, Spell, Trouble
from tests.property.planning.test_catch_up_rules import policies, rate
from tests.property.restrictions.restriction_story import closed
from tests.property.simulation.scenario_strategies import JOB_ID
from tests.support.execution.restricting import RULES
from tests.support.factories import NOW
from tests.support.simulation.replay import Replay
from tests.support.simulation.simulating import one_job
from tests.support.world import World
from timegate.domain.jobs.catch_up import CatchUp, CatchUpPolicy
from timegate.domain.jobs.job import JobStatus
from timegate.domain.runs.run import Reason
from timegate.domain.simulation import Edit, Pause, Scenario, TimeSpan
from timegate.domain.values.instants import MILLISECOND

MINUTE = 60_000
#: Work begins up to so long before its instant: what changes meanwhile comes too late.
LEAD = 300
#: An executor takes a run up to so long behind its instant, and judges the job as it is then.
BEHIND = 1
#: A message is received up to so long behind, for queues delay by whole seconds (``runs.gate``):
#: a pause or an edit that comes before it keeps the run from beginning.
RECEIVED_BEHIND = 750
PAUSES = {Trouble.PAUSE: False, Trouble.PAUSE_CAUGHT_UP: True}
catching_all = st.builds(CatchUp, policy=st.just(CatchUpPolicy.ALL))
#: Windows in which some of a pause's instants lie.
narrow = st.builds(
    CatchUp,
    policy=st.sampled_from([CatchUpPolicy.ALL, CatchUpPolicy.LATEST]),
    window_seconds=st.sampled_from([10, 70, 130, 250]),
    grace_seconds=st.sampled_from([0, 1, 10]),
)
CHANGING = [Trouble.PAUSE_CAUGHT_UP, Trouble.CLOSED, Trouble.PAUSE, *Trouble]


def is_plain(at: int, period: int, given_at: int = 0, *, behind: int = BEHIND) -> bool:
    """Return whether no instant of a rate is about to begin, or has come just now."""
    return behind < (at - given_at) % period < period - LEAD


def begins_plainly(at: int, period: int, given_at: int = 0) -> bool:
    """Return whether what keeps runs from beginning finds each run begun, or still to come."""
    return is_plain(at, period, given_at, behind=RECEIVED_BEHIND)


@st.composite
def spells(draw: st.DrawFn, period: int, policy: CatchUp, troubles: list[Trouble]) -> list[Spell]:
    """One after the other; pauses end when an instant is as late as a bound allows, or nearly."""
    found, at = list[Spell](), 0
    for _ in range(draw(st.integers(1, 3))):
        trouble = draw(st.sampled_from(troubles))
        first = at + draw(st.integers(1, 4)) * period // 2 + draw(st.integers(1, 9_000))
        length = draw(st.integers(1, 10)) * period + draw(st.sampled_from([-period // 3, 0, 977]))
        end = first + length
        if trouble is Trouble.PAUSE_CAUGHT_UP:
            late = draw(st.sampled_from([policy.window_seconds, policy.grace_seconds]))
            end = (end // period) * period + min(late, 3600) * 1000 % period
            end += draw(st.sampled_from([0, 1, BEHIND + 1]))
        if trouble is Trouble.CLOSED:
            first, end = first // 1000 * 1000, end // 1000 * 1000
        is_sound = begins_plainly(first, period) and is_plain(end, period) and first < end
        if is_sound or trouble is Trouble.CLOSED:
            found.append(Spell(trouble=trouble, first=first, end=max(end, first + 1000)))
            at = settled_after(found[-1])
    return found


def settled_after(spell: Spell) -> int:
    """Return when the planner has looked at the job again.

    Instants that it has not decided about belong to a pause that begins before.
    """
    is_behind = spell.trouble is Trouble.NO_PLANNER
    return -(-spell.end // MINUTE) * MINUTE if is_behind else spell.end


@st.composite
def bounded(
    draw: st.DrawFn,
    policies: st.SearchStrategy[CatchUp],
    troubles: list[Trouble],
    bounds: st.SearchStrategy[int | None],
) -> Bounded:
    """A job, mostly not edited."""
    period = draw(st.sampled_from([MINUTE, MINUTE, 97_000, 600_000]))
    policy = draw(policies)
    given_spells = tuple(draw(spells(period, policy, troubles)))
    assume(given_spells)
    job = Bounded(period=period, policy=policy, max_runs=draw(bounds), spells=given_spells)
    if draw(st.integers(0, 2)) > 0:
        return job
    new_period = draw(st.sampled_from([MINUTE, 150_000]).filter(lambda each: each != period))
    edited_at = draw(st.integers(1, given_spells[-1].end + 3 * period))
    later = [each for each in given_spells if each.end > edited_at]
    firsts = [each.first for each in later if each.first > edited_at]
    # A change that meets another write in its very millisecond counts from the next one
    # (``change_job``), which the oracle has no reason to.
    assume(all(edited_at not in (each.first, each.end) for each in given_spells))
    assume(begins_plainly(edited_at, period))
    assume(all(is_plain(each.end, new_period, edited_at) for each in later))
    assume(all(begins_plainly(at, new_period, edited_at) for at in firsts))
    # An edit of a job that has used up its bound is refused.
    assume(job.max_runs is None or len(job.begun(edited_at)) < job.max_runs)
    return Bounded(**{**job.__dict__, "edited_at": edited_at, "new_period": new_period})


def last_of(job: Bounded) -> int:
    """Return the end of the story: some time after its last run, or after its last trouble."""
    calm = max(job.spells[-1].end, job.edited_at or 0)
    if job.max_runs is None:
        return calm + 15 * MINUTE
    every = job.begun(calm + (job.max_runs + 1) * max(job.period, job.new_period or 0))
    return max(calm, every[-1]) + 15 * MINUTE


def scenario_of(job: Bounded) -> Scenario:
    """The story as callers, planners and executors take part in it."""

    def those(trouble: Trouble) -> tuple[TimeSpan, ...]:
        return tuple(
            TimeSpan(start=instant(each.first), end=instant(each.end))
            for each in job.spells
            if each.trouble is trouble
        )

    pauses = tuple(
        Pause(start=instant(each.first), end=instant(each.end), catch_up=PAUSES[each.trouble])
        for each in job.spells
        if each.trouble in PAUSES
    )
    edits: tuple[Edit, ...] = ()
    if job.edited_at is not None and job.new_period is not None:
        edits = (Edit(at=instant(job.edited_at), schedule=rate(job.new_period, job.max_runs)),)
    left_out = those(Trouble.CLOSED)
    return one_job(
        schedule=rate(job.period, job.max_runs),
        created_at=NOW,
        anchored_at=NOW,
        start=NOW,
        end=instant(last_of(job)),
        job_id=JOB_ID,
        catch_up=job.policy,
        pauses=pauses,
        edits=edits,
        calendar_rules=RULES if left_out else (),
        calendars=(closed(*((each.start, each.end) for each in left_out)),) if left_out else (),
        planner_outages=those(Trouble.NO_PLANNER),
        executor_outages=those(Trouble.NO_EXECUTOR),
    )


def instant(at: int) -> datetime:
    """So many milliseconds after ``NOW``."""
    return NOW + at * MILLISECOND


def milliseconds(at: datetime) -> int:
    """After ``NOW``."""
    return (at - NOW) // MILLISECOND


def begun_in(world: World, until: int) -> list[int]:
    """The instants before ``until`` whose runs began, at whichever attempt."""
    begun = {each.id.run.scheduled_at for each in world.attempts() if each.fence > 0}
    return sorted(at for at in map(milliseconds, begun) if at < until)


def reasons_in(world: World, named: list[int]) -> dict[int, list[Reason | None]]:
    """Return the recorded reasons of instants that did not begin; a run's last attempt counts."""
    last = {each.id.run: each for each in world.attempts()}.values()
    found: dict[int, list[Reason | None]] = {
        milliseconds(run.id.run.scheduled_at): [run.reason] for run in last if run.fence == 0
    }
    begun = set(begun_in(world, named[-1] + 1)) if named else set()
    for gap in world.tables.gaps.values():
        first, to = milliseconds(gap.first), milliseconds(gap.last)
        for at in named:
            if first <= at <= to and at not in begun and at not in found:
                found[at] = [gap.reason]
    return found


def hold(job: Bounded) -> None:
    """Play the story on the stores, and compare who began, who did not, and why."""
    until = last_of(job)
    replay = Replay(scenario_of(job))
    world = replay.run()
    # The story ends before this instant, which its last schedule may name.
    expected = job.begun(until - 1)
    (timing,) = [each.timing for each in world.tables.jobs.values()]
    is_complete = job.max_runs is not None and len(expected) == job.max_runs
    # Beyond the last place no instant is decided about.
    decided = [at for at in job.named(until - 1) if not is_complete or at < expected[-1]]
    reasons = reasons_in(world, decided)

    assert expected == begun_in(world, until)
    assert timing.status is (JobStatus.COMPLETED if is_complete else JobStatus.ACTIVE)
    for at, allowed in job.left_out(until).items():
        if at in decided:
            assert reasons[at][0] in allowed, (at, reasons[at], allowed)


@settings(max_examples=some(80))
@given(
    job=bounded(
        narrow | policies,
        [Trouble.PAUSE_CAUGHT_UP, Trouble.PAUSE_CAUGHT_UP, Trouble.PAUSE],
        st.none(),
    )
)
def test_a_resumption_runs_what_its_policy_says_of_planned_and_unplanned_alike(
    job: Bounded,
) -> None:
    """Skipped runs of this pause are reopened; those of a pause without ``catch_up`` never are."""
    hold(job)


@settings(max_examples=some(80))
@given(job=bounded(catching_all, CHANGING, st.integers(1, 8)))
def test_the_oldest_that_may_begin_take_the_places(job: Bounded) -> None:
    """Pauses, exclusions, edits and outages leave ``max_runs`` runs to begin."""
    hold(job)


@settings(max_examples=some(40))
@given(job=bounded(narrow | policies, list(PAUSES), st.integers(1, 8)))
def test_a_bounded_job_catches_up_by_its_policy(job: Bounded) -> None:
    """An instant of a pause that the policy leaves out holds no place."""
    hold(job)
