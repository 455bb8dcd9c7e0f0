"""Freezes that overlap or touch freeze a job for one span."""

from dataclasses import replace

import pytest

from tests.support.factories import NOW, after, freeze_factory, timing_factory
from timegate.domain.restrictions.freeze import Freeze, FreezeKind, FreezeScope, ThawPolicy
from timegate.domain.restrictions.frozen_spans import (
    FrozenSpan,
    frozen_at,
    frozen_from,
    frozen_spans,
)
from timegate.domain.restrictions.restrictions import UNRESTRICTED, Restrictions

TIMING = timing_factory(tags={"team": "ops"})
SKIP, LATEST, ALL, JOB = (
    *(ThawPolicy.SKIP, ThawPolicy.LATEST),
    *(ThawPolicy.ALL, ThawPolicy.JOB),
)


def freeze(first: float, last: float, thaw: ThawPolicy = ALL) -> Freeze:
    return freeze_factory(starts_at=after(first), ends_at=after(last), thaw=thaw)


def spans(*freezes: Freeze) -> list[tuple[float, float, ThawPolicy]]:
    """Return spans in seconds after the beginning."""
    found = frozen_spans(TIMING, Restrictions(freezes=freezes))
    return [
        ((span.start - NOW).total_seconds(), (span.end - NOW).total_seconds(), span.thaw)
        for span in found
    ]


def test_freezes_apart_are_spans_apart() -> None:
    """A millisecond is enough; they come in order."""
    assert spans(freeze(20, 30), freeze(0, 19.999, SKIP)) == [(0, 19.999, SKIP), (20, 30, ALL)]


@pytest.mark.parametrize(
    ("freezes", "expected"),
    [
        pytest.param([freeze(0, 20, SKIP), freeze(20, 30)], (0, 30, ALL), id="touching"),
        pytest.param([freeze(0, 25), freeze(20, 30, LATEST)], (0, 30, LATEST), id="overlapping"),
        pytest.param([freeze(0, 50, SKIP), freeze(20, 30)], (0, 50, SKIP), id="inside"),
        pytest.param([freeze(0, 30), freeze(20, 30, JOB)], (0, 30, JOB), id="stricter"),
        pytest.param([freeze(0, 30, SKIP), freeze(20, 30, JOB)], (0, 30, SKIP), id="strictest"),
    ],
)
def test_the_one_that_ends_last_says_how_it_thaws(
    freezes: list[Freeze], expected: tuple[float, float, ThawPolicy]
) -> None:
    """The strictest of those that end at once decides, in any order of the freezes."""
    assert spans(*freezes) == [expected]
    assert spans(*freezes[::-1]) == [expected]


def test_a_freeze_of_others_is_none() -> None:
    """Nor is one that was lifted before it began."""
    others = freeze_factory(scope=FreezeScope(kind=FreezeKind.TAG, value="team=dev"))
    own = freeze_factory(scope=FreezeScope(kind=FreezeKind.TAG, value="team=ops"))
    never = replace(freeze_factory(), lifted_at=after(-60))

    assert spans(others, never) == []
    assert spans(own) == [(0, 3600, JOB)]


def test_a_lifted_freeze_ends_when_it_was_lifted() -> None:
    """For all that follows."""
    assert spans(replace(freeze(0, 30), lifted_at=after(10))) == [(0, 10, ALL)]


def test_an_instant_is_frozen_from_the_start_to_the_end() -> None:
    """The start included, the end not; what is still to come is known."""
    restrictions = Restrictions(freezes=(freeze(0, 30),))
    span = FrozenSpan(start=NOW, end=after(30), thaw=ALL)

    found = [frozen_at(TIMING, after(at), restrictions) for at in (-0.001, 0, 29.999, 30)]
    assert found == [None, span, span, None]
    coming = [frozen_from(TIMING, after(at), restrictions) for at in (-99, 29.999, 30)]
    assert coming == [span, span, None]
    assert frozen_at(TIMING, NOW, UNRESTRICTED) is None
    assert frozen_from(TIMING, NOW, UNRESTRICTED) is None
