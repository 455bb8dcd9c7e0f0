"""The catch-up policy decides about instants that passed unplanned."""

from datetime import timedelta
from typing import Any

import pytest

from tests.support.factories import EVERY_MINUTE, NOW, after, timing_factory
from timegate.domain.jobs.catch_up import CatchUp, CatchUpPolicy
from timegate.domain.jobs.job import JobStatus, Timing
from timegate.domain.planning.catch_up import MAX_GAPS, SettledCatchUp, planned_until, settle
from timegate.domain.recurrence.schedule import Schedule, ScheduleKind
from timegate.domain.runs.run import Reason
from timegate.domain.values.instants import MILLISECOND

SKIP, LATEST, ALL = CatchUpPolicy.SKIP, CatchUpPolicy.LATEST, CatchUpPolicy.ALL
#: An instant that is planned at most so late was not missed, unless its job says otherwise.
GRACE = timedelta(seconds=CatchUp().grace_seconds)
#: Ten instants of the minutely job are missed by then, under the default grace: those from NOW to
#: nine minutes later. The last of them is older than the grace by a millisecond.
LATER = after(600) + MILLISECOND


def missed(**catch_up: Any) -> Timing:  # noqa: ANN401 - the dataclass checks them
    """A minutely job that no planner saw since NOW."""
    return timing_factory(anchored_at=after(-60), catch_up=CatchUp(**catch_up))


def outcome(settlement: SettledCatchUp | None) -> tuple[object, ...] | None:
    """Return the job's next instant and the number of skipped ones."""
    if settlement is None:
        return None
    return settlement.timing.next_run_at, sum(gap.count for gap in settlement.gaps)


@pytest.mark.parametrize(
    ("catch_up", "late", "settled"),
    [
        pytest.param({}, GRACE, False, id="default-within"),
        pytest.param({}, GRACE + MILLISECOND, True, id="default-beyond"),
        pytest.param({"grace_seconds": 10}, timedelta(seconds=10), False, id="own-within"),
        pytest.param({"grace_seconds": 10}, timedelta(seconds=10.001), True, id="own-beyond"),
        pytest.param({"grace_seconds": 0}, timedelta(0), False, id="none-on-time"),
        pytest.param({"grace_seconds": 0}, MILLISECOND, True, id="none-late"),
        pytest.param({"window_seconds": 10}, timedelta(seconds=10), False, id="in-window"),
        pytest.param({"window_seconds": 10}, timedelta(seconds=10.001), True, id="window-is-less"),
    ],
)
@pytest.mark.parametrize("policy", CatchUpPolicy)
def test_an_instant_is_missed_once_it_is_later_than_the_grace(
    policy: CatchUpPolicy, catch_up: dict[str, int], late: timedelta, *, settled: bool
) -> None:
    """The grace is 60 seconds by default, and never longer than the window."""
    settlement = settle(missed(policy=policy, **catch_up), now=NOW + late)

    assert (settlement is not None) is settled


@pytest.mark.parametrize("policy", [LATEST, ALL])
@pytest.mark.parametrize(
    ("age", "runs"),
    [
        pytest.param(timedelta(seconds=10), True, id="at-the-window"),
        pytest.param(timedelta(seconds=10.001), False, id="beyond-the-window"),
    ],
)
def test_no_instant_older_than_the_window_runs(
    policy: CatchUpPolicy, age: timedelta, *, runs: bool
) -> None:
    """A window shorter than the default grace holds to the millisecond."""
    timing, now = missed(policy=policy, window_seconds=10), NOW + age
    settlement = settle(timing, now=now)
    kept = settlement is None or settlement.timing.next_run_at == NOW

    assert kept is runs


@pytest.mark.parametrize(
    ("catch_up", "goes_on", "skipped"),
    [
        pytest.param({"policy": SKIP}, after(600), 10, id="skip"),
        pytest.param({"policy": LATEST}, after(540), 9, id="latest"),
        pytest.param({"policy": ALL}, NOW, 0, id="all"),
        pytest.param({"policy": ALL, "limit": 10}, NOW, 0, id="all-within-limit"),
        pytest.param({"policy": ALL, "limit": 9}, after(60), 1, id="all-over-limit"),
        pytest.param({"policy": ALL, "window_seconds": 601}, NOW, 0, id="within-window"),
        pytest.param({"policy": ALL, "window_seconds": 600}, after(60), 1, id="out-of-window"),
        pytest.param({"policy": LATEST, "window_seconds": 61}, after(540), 9, id="latest-within"),
        pytest.param(
            {"policy": LATEST, "window_seconds": 60, "grace_seconds": 59},
            after(600),
            10,
            id="latest-too-old",
        ),
    ],
)
def test_a_policy_tells_which_instants_run(
    catch_up: dict[str, object], goes_on: object, skipped: int
) -> None:
    """The latest of them, as many as it lets; those before are a gap."""
    settlement = settle(missed(**catch_up), now=LATER)

    assert outcome(settlement) == (goes_on, skipped)


def test_what_is_skipped_is_a_gap_from_the_first_to_the_last() -> None:
    """And the job remembers how far it was decided."""
    settlement = settle(missed(policy=LATEST), now=LATER)

    assert settlement is not None
    (gap,) = settlement.gaps
    assert (gap.first, gap.last) == (NOW, after(480))
    assert (gap.reason, gap.recorded_at) == (Reason.MISSED_WINDOW, LATER)
    assert settlement.timing.decided_until == LATER - GRACE - MILLISECOND


@pytest.mark.parametrize(
    ("recorded", "left"),
    [
        pytest.param([], [(0, 540, 10)], id="none"),
        pytest.param([-60, 600], [(0, 540, 10)], id="on-both-sides"),
        pytest.param([0, 540], [(60, 480, 8)], id="first-and-last"),
        pytest.param([120, 180], [(0, 60, 2), (240, 540, 6)], id="inside"),
        pytest.param([90], [(0, 540, 10)], id="of-another-schedule"),
        pytest.param(range(0, 600, 60), [], id="all"),
    ],
)
def test_an_instant_with_a_run_is_in_no_gap(
    recorded: list[int], left: list[tuple[int, int, int]]
) -> None:
    """A job whose next instant was set back stands before instants that have their records."""
    instants = [after(seconds) for seconds in recorded]
    settlement = settle(missed(policy=SKIP), now=LATER, recorded=instants)

    assert settlement is not None
    assert settlement.timing.next_run_at == after(600)
    found = [(gap.first, gap.last, gap.count) for gap in settlement.gaps]
    assert found == [(after(first), after(last), count) for first, last, count in left]


@pytest.mark.parametrize(
    ("recorded", "gaps", "goes_on"),
    [
        pytest.param(MAX_GAPS - 1, MAX_GAPS, None, id="as-many-as-fit"),
        pytest.param(MAX_GAPS, MAX_GAPS, MAX_GAPS * 120 - 60, id="one-too-many"),
    ],
)
def test_instants_with_runs_split_no_more_gaps_than_are_stored_together(
    recorded: int, gaps: int, goes_on: int | None
) -> None:
    """Every other instant has a run: the settlement ends with the last gap that it may record."""
    now = after(recorded * 120 + 60) + MILLISECOND
    instants = [after(60 + 120 * number) for number in range(recorded)]
    settlement = settle(missed(policy=SKIP), now=now, recorded=instants)

    assert settlement is not None
    assert len(settlement.gaps) == gaps
    following = recorded * 120 + 60 if goes_on is None else goes_on
    assert settlement.timing.next_run_at == after(following)


@pytest.mark.parametrize("recorded", [None, 480, 540])
def test_an_instant_with_a_run_counts_for_the_policy(recorded: int | None) -> None:
    """The latest one runs under ``latest``: where it has run already, nothing else runs for it."""
    instants = [] if recorded is None else [after(recorded)]
    settlement = settle(missed(policy=LATEST), now=LATER, recorded=instants)

    assert outcome(settlement) == (after(540), 8 if recorded == 480 else 9)


@pytest.mark.parametrize(
    ("decided", "expected"),
    [
        pytest.param(after(-1), (after(600), 10), id="before"),
        pytest.param(NOW, None, id="at-the-first"),
    ],
)
def test_nothing_is_decided_twice(decided: object, expected: object) -> None:
    """An instant that was decided to run still runs, however late."""
    timing = timing_factory(
        anchored_at=after(-60), catch_up=CatchUp(policy=SKIP), decided_until=decided
    )

    assert outcome(settle(timing, now=LATER)) == expected


@pytest.mark.parametrize("begun", [0, 7, 10])
def test_max_runs_is_no_part_of_the_policy(begun: int) -> None:
    """All may run, oldest first; the places that are left bound what is planned of them."""
    schedule = Schedule(kind=ScheduleKind.RATE, every_seconds=60, max_runs=10)
    timing = timing_factory(schedule=schedule, anchored_at=after(-60), runs_begun=begun)

    assert outcome(settle(timing, now=LATER)) == (NOW, 0)


@pytest.mark.parametrize(
    "schedule",
    [
        pytest.param(Schedule(kind=ScheduleKind.AT, at=NOW), id="at"),
        pytest.param(Schedule(kind=ScheduleKind.IMMEDIATE), id="immediate"),
        pytest.param(Schedule(kind=ScheduleKind.DELAY, delay_seconds=0.0), id="delay"),
        pytest.param(
            Schedule(kind=ScheduleKind.RATE, every_seconds=60, starts_at=NOW, ends_at=NOW),
            id="rate-that-ends",
        ),
    ],
)
@pytest.mark.parametrize("policy", CatchUpPolicy)
def test_an_only_instant_runs_late_or_completes_its_job(
    schedule: Schedule, policy: CatchUpPolicy
) -> None:
    """Skipped, nothing is left that could end and complete it."""
    timing = timing_factory(
        schedule=schedule, anchored_at=NOW, catch_up=CatchUp(policy=policy), next_run_at=NOW
    )
    settlement = settle(timing, now=LATER)

    assert settlement is not None
    if policy is SKIP:
        assert outcome(settlement) == (None, 1)
        assert settlement.timing.status is JobStatus.COMPLETED
    else:
        assert outcome(settlement) == (NOW, 0)
        assert settlement.timing.status is JobStatus.ACTIVE


def test_a_job_without_a_next_instant_missed_none() -> None:
    """It waits for nothing."""
    assert settle(timing_factory(next_run_at=None), now=LATER) is None


@pytest.mark.parametrize(
    ("first", "decided", "expected"),
    [
        pytest.param(NOW, None, LATER, id="nothing-decided"),
        pytest.param(after(61), after(60), LATER, id="all-decided-is-planned"),
        pytest.param(NOW, LATER - GRACE - MILLISECOND, LATER, id="decided-up-to-the-cutoff"),
        pytest.param(NOW, after(60), after(60), id="more-was-missed-since"),
        pytest.param(None, after(60), LATER, id="nothing-to-plan"),
    ],
)
def test_planning_stops_where_more_was_missed(
    first: object, decided: object, expected: object
) -> None:
    """The next tick decides the instants behind that first."""
    timing = timing_factory(schedule=EVERY_MINUTE, next_run_at=first, decided_until=decided)

    assert planned_until(timing, LATER, now=LATER) == expected
