"""Each promise has tests, and each test that names a promise names one that there is."""

import re
from collections import Counter
from pathlib import Path

import pytest

from tests.courses import Course, passes_over

ROOT = Path(__file__).resolve().parents[3]
TESTS = ROOT / "tests"
PAGE = (ROOT / "docs" / "design" / "promises.md").read_text()
_ROW = re.compile(r"^\| ([A-Z]\d+) \| ([^|]+) \| ([^|]+) \|$", re.MULTILINE)
#: Ids in brackets, as a docstring ends with them.
_NAMED = re.compile(r"\(([BDJNORSV]\d{1,2}(?:, [BDJNORSV]\d{1,2})*)\)")
#: A function, or the case that Hypothesis makes of a state machine.
_TEST = re.compile(r"^(def test_|Test\w+ = \w+\.TestCase)", re.MULTILINE)
#: Promises of each kind: a new one is entered here, and on the page with its tests.
COUNTS = {"N": 9, "J": 17, "R": 23, "D": 10, "S": 12, "O": 14, "V": 6, "B": 16}

HELD = {
    promise: [TESTS / f"{path}.py" for path in re.findall("`([^`]+)`", modules)]
    for promise, _, modules in _ROW.findall(PAGE)
}


def test_every_promise_is_on_the_page_once() -> None:
    """In the order of its kind's numbers."""
    every = [f"{kind}{number}" for kind, count in COUNTS.items() for number in range(1, count + 1)]

    assert [promise for promise, _, _ in _ROW.findall(PAGE)] == every


@pytest.mark.parametrize("promise", sorted(HELD))
def test_a_promise_is_held_by_tests_of_each_landing(promise: str) -> None:
    """Its modules exist and have tests, and ``make test`` runs one of them at least."""
    modules = HELD[promise]

    assert len(modules) >= 2
    assert [each.name for each in modules if not each.is_file()] == []
    assert [each.name for each in modules if not _TEST.search(each.read_text())] == []
    assert [each for each in modules if not passes_over(each, Course.SHORT)] != []


def test_a_module_is_named_once_for_a_promise() -> None:
    assert [promise for promise, held in HELD.items() if max(Counter(held).values()) > 1] == []


def test_a_test_names_promises_that_there_are() -> None:
    """An id that no page explains tells a reader nothing."""
    named = {
        promise
        for module in TESTS.rglob("*.py")
        for ids in _NAMED.findall(module.read_text())
        for promise in ids.split(", ")
    }

    assert {"S1", "N7"} <= named
    assert named <= set(HELD)
