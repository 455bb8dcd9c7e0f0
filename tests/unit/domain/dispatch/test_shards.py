"""A shard is open from its opening until it retires; closing ones are still served."""

import pytest

from infra.stage import settings
from tests.support.execution.placing import KEY, first_shards
from tests.support.factories import NOW, after
from timegate.domain.dispatch.shards import MAX_SHARDS, Opening, OpenShards
from timegate.domain.values.errors import InvalidInput

FOUR = first_shards(4, at=NOW)
EIGHT = FOUR.with_open(8, at=after(60))


def test_more_can_be_opened_and_fewer_are_not() -> None:
    """Records of a shard wait there although a later deployment names fewer."""
    assert EIGHT.count == 8
    assert EIGHT.with_open(3, at=after(120)) == EIGHT
    assert EIGHT.with_open(8, at=after(120)) == EIGHT


def test_a_shard_is_as_old_as_the_opening_that_opened_it() -> None:
    """Its first tick goes back that far."""
    assert [EIGHT.opened_at(shard) for shard in (0, 3, 4, 7)] == [NOW, NOW, after(60), after(60)]


@pytest.mark.parametrize("shards", [-1, 0, MAX_SHARDS + 1])
def test_a_number_that_cannot_be_is_refused(shards: int) -> None:
    """A typing error would be paid for every minute, and none at all would serve no job."""
    with pytest.raises(InvalidInput, match="There are 1 to 1024 shards"):
        first_shards(shards, at=NOW)
    with pytest.raises(InvalidInput, match="There are 1 to 1024 shards"):
        FOUR.with_open(shards, at=NOW)


@pytest.mark.parametrize("shards", [1, MAX_SHARDS])
def test_every_other_number_can_be(shards: int) -> None:
    """From one to the most."""
    assert first_shards(shards, at=NOW).count == shards


def test_the_stages_obey_the_same_limit() -> None:
    """A deployment is refused before its functions would be."""
    assert settings.MAX_SHARDS == MAX_SHARDS


@pytest.mark.parametrize(
    ("keep", "openings"),
    [
        (6, (Opening(shards=4, at=NOW), Opening(shards=6, at=after(60)))),
        (4, (Opening(shards=4, at=NOW),)),
        (3, (Opening(shards=3, at=NOW),)),
    ],
)
def test_closing_leaves_the_others_as_old_as_they_were(
    keep: int, openings: tuple[Opening, ...]
) -> None:
    """Shards of one opening and of several keep their ages alike."""
    assert EIGHT.with_closing(keep).closed() == OpenShards(openings=openings, key=KEY)


@pytest.mark.parametrize("of", [1, 2, 3, 4, 7, 8, 9, 64])
def test_the_ticks_of_any_deployment_serve_every_open_shard_once(of: int) -> None:
    """More groups than shards or fewer: none is left out, and none is served twice."""
    served = [turn.shard for named in range(of) for turn in EIGHT.turns([named], of, at=NOW)]

    assert sorted(served) == list(range(8))


def test_a_shard_named_by_hand_stands_for_itself() -> None:
    """And one that is not open cannot be served: no record tells its age."""
    assert [turn.shard for turn in EIGHT.turns([1, 9], None, at=NOW)] == [1]


def test_retired_shards_come_last_and_take_turns() -> None:
    """A tick that runs out of time leaves another one out the next minute."""
    served = [
        [turn.shard for turn in EIGHT.turns([0, 1], 2, at=after(60 * minute))]
        for minute in range(3)
    ]
    retired = [minute[2:] for minute in served]

    assert [minute[:2] for minute in served] == [[0, 1]] * 3
    assert len({minute[0] for minute in retired}) == 3
    assert [sorted(minute) for minute in retired] == [[2, 3, 4, 5, 6, 7]] * 3


def test_what_is_being_closed_is_served_and_not_used() -> None:
    """Until it has been found empty."""
    closing = EIGHT.with_closing(3)

    assert (closing.used, closing.count) == (3, 8)
    assert [turn.shard for turn in closing.turns([2], 3, at=NOW)] == [2, 5]


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        pytest.param(3, EIGHT.with_closing(3), id="those that stay"),
        pytest.param(4, EIGHT, id="one that was being closed"),
        pytest.param(
            9,
            OpenShards(openings=(*EIGHT.openings, Opening(shards=9, at=after(120))), key=KEY),
            id="a new one",
        ),
    ],
)
def test_a_larger_number_takes_the_announcement_back(wanted: int, expected: OpenShards) -> None:
    """No process uses a shard that is about to be closed."""
    assert EIGHT.with_closing(3).with_open(wanted, at=after(120)) == expected
