"""Parts of many items: as large as the API takes, each with a key of its own."""

import pytest

from timegate.client.calls.parts import MOST_BYTES, joined, keyed_parts, parts_of


def test_a_part_ends_before_it_has_too_many_items_or_bytes() -> None:
    half = "x" * (MOST_BYTES // 2 - 2)

    assert list(parts_of([1, 2, 3], most=2)) == [[1, 2], [3]]
    assert list(parts_of([half, half, half], most=9)) == [[half, half], [half]]
    assert list(parts_of([half, half + "x", half], most=9)) == [[half], [half + "x"], [half]]
    assert list(parts_of(["x" * MOST_BYTES, 1], most=9)) == [["x" * MOST_BYTES], [1]]
    assert list(parts_of([], most=9)) == []


@pytest.mark.parametrize("length", [1, 253, 254, 255])
def test_each_key_that_the_api_takes_gives_keys_that_it_takes(length: int) -> None:
    """They are the same each time, and differ from those of another key."""
    first, second = [key for _, key in keyed_parts([1, 2], "k" * length, most=1)]
    others = [key for _, key in keyed_parts([1, 2], "k" * (length - 1) + "l", most=1)]

    assert first is not None
    assert second is not None
    assert max(len(first), len(second)) <= 255
    assert len({first, second, *others}) == 4
    assert [key for _, key in keyed_parts([1, 2], "k" * length, most=1)] == [first, second]


def test_a_key_that_the_api_refuses_stays_too_long() -> None:
    assert [len(key or "") for _, key in keyed_parts([1], "k" * 256, most=1)] == [258]
    assert [key for _, key in keyed_parts([1], None, most=1)] == [None]


def test_places_are_counted_through_and_counts_add_up() -> None:
    answers = [
        {"items": [{"index": 0}, {"index": 1}], "created": 2, "failed": 0},
        {"items": [{"index": 0}], "created": 0, "failed": 1},
    ]

    assert joined(answers) == {
        "items": [{"index": 0}, {"index": 1}, {"index": 2}],
        "created": 2,
        "failed": 1,
    }
    assert joined([]) == {"items": []}
