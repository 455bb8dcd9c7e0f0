"""A region dies, or is fenced, at a call to AWS of its functions, and the other one takes over.

Both run the functions of production, on tables that are replicated item by item, and late.
"""

import traceback
from collections.abc import Callable, Iterator, Sequence
from datetime import timedelta
from itertools import cycle

import pytest

from tests.crash.conftest import TRIED
from tests.crash.faults import Call
from tests.crash.regions.pair import Pair
from tests.crash.regions.takeover import How, Strike, Takeover
from tests.crash.regions.takeover_judge import TakeoverJudge
from tests.crash.selection import WHOLE, in_turn
from tests.crash.services.cloud import Cloud

pytestmark = pytest.mark.wide

#: So many calls are struck in each way, of all functions and operations by turns, unless all are.
_MOST = 6
#: Lags of the replication; one after the other.
LAGS = tuple(timedelta(seconds=each) for each in (45, 0, 5))


@pytest.fixture(scope="module")
def pair(cloud: Cloud) -> Iterator[Pair]:
    """Both regions, deployed once."""
    with pytest.MonkeyPatch.context() as patch:
        yield Pair(cloud, patch)


@pytest.fixture(scope="module")
def calls(pair: Pair) -> Sequence[Call]:
    """Calls of the first region's functions, from the making of its jobs on."""
    story = Takeover(pair)
    try:
        return story.live_at_home()
    finally:
        pair.end(story.tenant)


def broken_by(pair: Pair, strike: Strike) -> str | None:
    """Live through a takeover, and say what does not hold."""
    story = Takeover(pair, strike)
    judge = TakeoverJudge(story)
    try:
        story.live_at_home()
        story.go_on()
        judge.judge()
        judge.judge_return()
    except Exception as error:  # noqa: BLE001 - a matrix says all that is wrong with it
        place = traceback.extract_tb(error.__traceback__)[-1]
        failed = [f"{p.function} {p.number}: {e!r}" for p, e in pair.cloud.region.failures]
        return f"{strike}: {error!r} at {place.name}:{place.lineno}, failed: {failed}"
    finally:
        pair.end(story.tenant)
    return None


@pytest.mark.parametrize("how", How, ids=[each.name.lower() for each in How])
def test_nothing_fires_twice_and_all_is_on_record_whatever_call_a_region_ends_at(
    how: How,
    pair: Pair,
    calls: Sequence[Call],
    record_property: Callable[[str, object], None],
) -> None:
    """Runs that the old region may have begun are in doubt; the new one begins the others."""
    struck = calls if WHOLE else in_turn(calls, how, kind=lambda e: (e.function, e.operation))
    lags, number = cycle(LAGS), len(struck) if WHOLE else _MOST
    strikes = [
        Strike(call=call, how=how, lag=lag)
        for call, lag in zip(struck[:number], lags, strict=False)
    ]
    tried = [broken_by(pair, each) for each in strikes]
    record_property(TRIED, (f"region {how}", len(calls), len(strikes)))

    assert [each for each in tried if each is not None] == []


def test_all_functions_of_a_run_are_struck(calls: Sequence[Call]) -> None:
    """From the plan of a run to what follows its end."""
    assert {each.function for each in calls} >= {
        *("planner", "relay", "executor short", "outcomes", "sweeper"),
    }
