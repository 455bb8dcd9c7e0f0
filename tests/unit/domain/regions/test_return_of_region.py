"""The way back: a region takes over again when the other one has reached it, and all has come."""

from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from tests.support.factories import NOW, after
from timegate.domain.regions.region_errors import PromotionRefused
from timegate.domain.regions.region_record import RegionRecord
from timegate.domain.regions.return_of_region import check_return, ticks_behind

HERE, THERE = "eu-west-1", "eu-central-1"
FIRST = RegionRecord.first(HERE, now=NOW)
#: The record of the other region, and what it had this one promise since.
TAKEN = FIRST.promoted(THERE, ended=after(300), now=after(60))
PROMISED = TAKEN.promised(now=after(600), length=timedelta(minutes=5))


def test_a_region_that_has_all_may_be_given_back() -> None:
    """A fence that an earlier try has written is none of its business."""
    check_return(PROMISED, TAKEN, timedelta())
    check_return(PROMISED, TAKEN.fence(now=after(700)), timedelta())


@pytest.mark.parametrize(
    ("own", "other", "behind", "why"),
    [
        (None, TAKEN, timedelta(), "A region has no record"),
        (PROMISED, None, timedelta(), "A region has no record"),
        (FIRST, FIRST, timedelta(), "was not replaced"),
        (FIRST.fence(now=NOW), TAKEN, timedelta(), "has not reached this one"),
        (replace(PROMISED, epoch=3), TAKEN, timedelta(), "has not reached this one"),
        (TAKEN, TAKEN, timedelta(), "has not reached this one"),
        (PROMISED, TAKEN, None, "are not known here"),
        (PROMISED, TAKEN, timedelta(seconds=60), "is 60 seconds of ticks behind"),
    ],
)
def test_any_other_region_is_told_why_not(
    own: RegionRecord | None, other: RegionRecord | None, behind: timedelta | None, why: str
) -> None:
    """Each refusal ends with what to do, where waiting helps."""
    with pytest.raises(PromotionRefused, match=why):
        check_return(own, other, behind)


@pytest.mark.parametrize(
    ("here", "there", "behind"),
    [
        ([], [], None),
        ([], [None], None),
        ([NOW], [], None),
        ([NOW, after(60)], [NOW, after(60)], timedelta()),
        # A tick arrived between both looks.
        ([after(60), NOW], [NOW, NOW], timedelta()),
        ([NOW, NOW], [NOW, after(0.001)], timedelta(milliseconds=1)),
        ([NOW, after(60)], [after(120), after(90)], timedelta(seconds=120)),
        # No tick there yet.
        ([None, NOW], [None, NOW], timedelta()),
        ([NOW, NOW], [None, NOW], timedelta()),
        ([None, NOW], [NOW, NOW], None),
        ([NOW], [NOW, NOW], None),
        ([NOW], [NOW, None], timedelta()),
    ],
)
def test_marks_of_ticks_are_compared_one_by_one(
    here: list[datetime | None], there: list[datetime | None], behind: timedelta | None
) -> None:
    """The greatest difference counts; one of which nothing is known makes all unknown."""
    assert ticks_behind(here, there) == behind
