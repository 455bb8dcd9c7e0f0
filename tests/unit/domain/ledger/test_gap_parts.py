"""Runs inside a gap: each instant is counted once, as a run or as a part of what is left."""

from dataclasses import replace

import pytest

from tests.support.factories import (
    EVERY_MINUTE,
    after,
    attempt_factory,
    gap_factory,
    timing_factory,
)
from timegate.domain.ledger.damaged_records import DamagedGap, GapRecord, RunRecord
from timegate.domain.ledger.gap_parts import around, as_answered, cut_ahead, part_of, split
from timegate.domain.ledger.ledger import Gap, Naming
from timegate.domain.recurrence.schedule import Schedule, ScheduleKind
from timegate.domain.runs.run import Reason

TIMING = timing_factory(schedule=EVERY_MINUTE, anchored_at=after(-3600))
#: Six instants of the schedule.
GAP = gap_factory(first=after(-600), last=after(-300), count=6, reason=Reason.MISSED_WINDOW)
#: A gap of an unknown schedule that is gone: the present one names six instants.
FOREIGN = replace(GAP, count=4)
#: A gap of another one that is gone: -600, -500, -400, -300.
KEPT = replace(
    FOREIGN,
    naming=Naming(
        schedule=Schedule(kind=ScheduleKind.RATE, every_seconds=100), anchored_at=after(-1000)
    ),
)


def span(gap: Gap | None) -> tuple[int, int, int] | None:
    """Its first and last instant, in seconds, and how many there are."""
    if gap is None:
        return None
    begin = after(0)
    first, last = ((each - begin).total_seconds() for each in (gap.first, gap.last))
    return int(first), int(last), gap.count


def told(record: RunRecord | GapRecord) -> tuple[int, int, int]:
    """A record as its instants."""
    assert not isinstance(record, DamagedGap)
    if isinstance(record, Gap):
        found = span(record)
        assert found is not None
        return found
    seconds = int((record.id.run.scheduled_at - after(0)).total_seconds())
    return seconds, seconds, 1


@pytest.mark.parametrize(
    ("run", "before", "following"),
    [
        pytest.param(-600, None, (-540, -300, 5), id="the first"),
        pytest.param(-540, (-600, -600, 1), (-480, -300, 4), id="the second"),
        pytest.param(-420, (-600, -480, 3), (-360, -300, 2), id="in the middle"),
        pytest.param(-300, (-600, -360, 5), None, id="the last"),
        pytest.param(-450, (-600, -480, 3), (-420, -300, 3), id="between two"),
    ],
)
def test_a_gap_is_split_at_a_run(
    run: int, before: tuple[int, int, int] | None, following: tuple[int, int, int] | None
) -> None:
    """The parts on both sides are counted anew."""
    parts = split(GAP, after(run), TIMING)

    assert (span(parts.before), span(parts.after)) == (before, following)


def test_a_gap_of_one_instant_disappears_behind_its_run() -> None:
    """On both sides nothing is left."""
    one = gap_factory(first=after(-600), last=after(-600), count=1)
    parts = split(one, after(-600), TIMING)

    assert (parts.before, parts.after) == (None, None)


def test_a_gap_of_a_schedule_that_is_gone_counts_one_less() -> None:
    """No record tells on which side; when none is left it disappears."""
    parts = split(FOREIGN, after(-420), TIMING)
    last = split(replace(FOREIGN, count=1), after(-420), TIMING)

    assert (parts.before, span(parts.after)) == (None, (-600, -300, 3))
    assert (last.before, last.after) == (None, None)


@pytest.mark.parametrize(
    ("run", "before", "following"),
    [
        pytest.param(-600, None, (-500, -300, 3), id="the first"),
        pytest.param(-400, (-600, -500, 2), (-300, -300, 1), id="one of them"),
        pytest.param(-420, (-600, -500, 2), (-400, -300, 2), id="none of them"),
        pytest.param(-300, (-600, -400, 3), None, id="the last"),
    ],
)
def test_a_gap_knows_its_instants_when_their_schedule_is_gone(
    run: int, before: tuple[int, int, int] | None, following: tuple[int, int, int] | None
) -> None:
    """It keeps what named them."""
    parts = split(KEPT, after(run), TIMING)

    assert (span(parts.before), span(parts.after)) == (before, following)


@pytest.mark.parametrize(
    ("given_at", "opening", "left"),
    [
        pytest.param(-400, -340, (-600, -400, 3), id="given at one of its instants"),
        pytest.param(-400, -400, (-600, -500, 2), id="which the new one names as well"),
        pytest.param(-400.001, -340, (-600, -500, 2), id="just before"),
        pytest.param(-700, -640, None, id="before all of them"),
        pytest.param(-300, -240, "whole", id="behind them"),
    ],
)
@pytest.mark.parametrize("held", [False, True], ids=["active", "paused"])
def test_a_schedule_answers_from_when_it_was_given(
    given_at: float, opening: float, left: tuple[int, int, int] | str | None, *, held: bool
) -> None:
    """A gap of the predecessor is cut at the new schedule's anchor."""
    first = {"next_run_at": None, "held_at": after(opening)} if held else {}
    at_once = Schedule(kind=ScheduleKind.IMMEDIATE)
    timing = timing_factory(
        schedule=at_once if given_at == opening else EVERY_MINUTE,
        anchored_at=after(given_at),
        **({"next_run_at": after(opening)} | first),
    )
    cuts = cut_ahead([KEPT, FOREIGN], TIMING, timing)

    # No record tells the instants of the other.
    assert [(cut.gap, span(cut.left)) for cut in cuts] == (
        [] if left == "whole" else [(KEPT, left)]
    )


@pytest.mark.parametrize(
    ("given_at", "left"),
    [
        pytest.param(-800, "whole", id="given before what named it"),
        pytest.param(-600.001, None, id="just before its first"),
        pytest.param(-600, (-600, -600, 1), id="at its first"),
        pytest.param(-400, (-600, -400, 3), id="in its midst"),
        pytest.param(-300, "whole", id="at its last"),
    ],
)
def test_readers_see_a_gap_as_far_as_it_answers(
    given_at: float, left: tuple[int, int, int] | str | None
) -> None:
    """Another schedule's gap answers up to that anchor; a foreign old record answers whole."""
    assert KEPT.naming is not None
    anchored = replace(KEPT.naming, anchored_at=after(-700))
    gap = replace(KEPT, naming=anchored)
    timing = timing_factory(schedule=EVERY_MINUTE, anchored_at=after(given_at))
    found = as_answered(gap, timing)

    assert isinstance(found, Gap | None)
    assert (found and span(found)) == (span(gap) if left == "whole" else left)
    assert as_answered(FOREIGN, timing) == FOREIGN


@pytest.mark.parametrize(
    ("gap", "first", "last", "part"),
    [
        pytest.param(GAP, -480, None, (-480, -300, 4), id="from an instant"),
        pytest.param(GAP, -479, None, (-420, -300, 3), id="from between two"),
        pytest.param(GAP, None, -480, (-600, -480, 3), id="to an instant"),
        pytest.param(GAP, -299, None, None, id="behind it"),
        pytest.param(GAP, -9999, 9999, (-600, -300, 6), id="all of it"),
        pytest.param(FOREIGN, -480, -420, (-600, -300, 4), id="unknown"),
        pytest.param(KEPT, -480, -320, (-400, -400, 1), id="kept"),
    ],
)
def test_a_part_of_a_gap_is_counted(
    gap: Gap, first: int | None, last: int | None, part: tuple[int, int, int] | None
) -> None:
    """Both ends belong to it; a gap that cannot be told apart stays whole."""
    found = part_of(
        gap,
        TIMING,
        first=None if first is None else after(first),
        last=None if last is None else after(last),
    )

    assert span(found) == part


def test_records_come_in_the_order_of_their_instants() -> None:
    """Gaps where they end, in parts around the runs that lie in them."""
    runs = [attempt_factory(due_at=after(each)) for each in (-660, -420, -360, -240, 0)]
    gaps = [GAP, gap_factory(first=after(-180), last=after(-60), count=3)]

    assert [told(each) for each in around(iter(runs), iter(gaps), TIMING)] == [
        (-660, -660, 1),
        (-600, -480, 3),
        (-420, -420, 1),
        (-360, -360, 1),
        (-300, -300, 1),
        (-240, -240, 1),
        (-180, -60, 3),
        (0, 0, 1),
    ]


@pytest.mark.parametrize(
    ("runs", "gaps", "total"),
    [([], [], 0), ([-420], [], 1), ([], [GAP], 6), ([-900], [GAP], 7), ([-420], [FOREIGN], 4)],
    ids=["nothing", "runs", "gaps", "apart", "unknown"],
)
def test_every_instant_is_counted_once(runs: list[int], gaps: list[Gap], total: int) -> None:
    """Runs and gaps in any arrangement count each instant once."""
    attempts = [attempt_factory(due_at=after(each)) for each in runs]
    records = around(iter(attempts), iter(gaps), TIMING)

    assert sum(told(each)[2] for each in records) == total
