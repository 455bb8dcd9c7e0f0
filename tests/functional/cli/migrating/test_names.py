"""Names of imported jobs: each is given once."""

import sys
from collections.abc import Iterable

import pytest

from timegate.cli.migrating.entries import UniqueNames

LONGEST = 200


def taken(wanted: Iterable[str]) -> list[str]:
    """The names that are given for these."""
    names = UniqueNames()
    return [names.take(each) for each in wanted]


def test_equal_names_are_numbered() -> None:
    """Numbers that a file gives itself are passed over."""
    assert taken(["a", "a 2", "b", "a", "a", "b"]) == ["a", "a 2", "b", "a 3", "a 4", "b 2"]
    assert taken(["", "\n", "schedule"]) == ["schedule", "schedule 2", "schedule 3"]


def test_long_names_are_cut_for_a_number() -> None:
    """They stay different although they begin alike, and end within a job's bound."""
    found = taken(["x" * (LONGEST - 1) + end for end in "aabbc"] + ["x" * (LONGEST + 1)] * 2)

    assert len(set(found)) == len(found)
    assert {len(each) for each in found} == {LONGEST}


@pytest.mark.parametrize(
    "wanted",
    [
        ["a"] * 500,
        [*(f"a {number}" for number in range(2, 252)), *["a"] * 250],
        [f"{'x' * 197}{number:03}" for number in range(250)] * 2,
    ],
    ids=["equal", "numbered", "long"],
)
def test_each_name_is_found_in_a_few_steps(wanted: list[str]) -> None:
    """A file that has one name throughout takes no longer for its last line than for its first."""
    calls = 0

    def count(_frame: object, event: str, _argument: object) -> None:
        nonlocal calls
        calls += event == "call"

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        found = taken(wanted)
    finally:
        sys.setprofile(before)

    assert len(set(found)) == len(wanted)
    assert calls < 20 * len(wanted) + sum(map(len, wanted))
