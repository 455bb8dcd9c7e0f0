"""Names of imported jobs: each is given once."""

import json
import sys
from collections.abc import Iterable

import pytest

from tests.functional.cli.converting import Converted, converted, entries, warned
from timegate.cli.migrating.entries import Source, UniqueNames

__all__ = ["converted"]

LONGEST = 200
LONG = "x" * (LONGEST + 1)


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


SPEC = {"ScheduleExpression": "rate(1 hour)", "Name": LONG}
TEXTS = {
    "crontab": f"# {LONG}\n0 9 * * * run\n",
    "quartz": f"{LONG}=0 0 9 * * ?",
    "eventbridge": json.dumps(SPEC),
    "kubernetes": json.dumps(
        {"kind": "CronJob", "metadata": {"name": LONG}, "spec": {"schedule": "0 9 * * *"}}
    ),
    "systemd": f"[Unit]\nDescription={LONG}\n[Timer]\nOnCalendar=daily\n",
    "google": json.dumps({"name": f"a/{LONG}", "schedule": "0 9 * * *"}),
    "github": f"name: {LONG}\non:\n  schedule:\n    - cron: 0 9 * * *\n",
    "dkron": json.dumps([{"name": LONG, "schedule": "0 0 9 * * *"}]),
    "celery": json.dumps({LONG: {"task": "a.b", "schedule": 60.0}}),
}


@pytest.mark.parametrize("source", Source)
def test_a_name_that_is_cut_has_a_note(converted: Converted, source: Source) -> None:
    """Jobs that other jobs or people know by the whole name would be looked for in vain."""
    found = entries(converted(source, TEXTS[source]))
    short = entries(converted(source, TEXTS[source].replace(LONG, LONG[:LONGEST])))

    assert found[0]["name"] == short[0]["name"] == LONG[:LONGEST]
    assert "name_cut" not in warned(short[0])
    assert {each["code"]: each["detail"] for each in found[0]["warnings"]}["name_cut"] == (
        "Its name has 201 characters: a job's has 200 at most, and the rest is left out."
    )


def test_a_name_that_is_cut_for_a_number_has_a_note(converted: Converted) -> None:
    """The first one of two has its name whole."""
    line = f"{LONG[:LONGEST]}=0 0 9 * * ?"
    first, second = entries(converted("quartz", f"{line}\n{line}"))

    assert ("name_cut" in warned(first), "name_cut" in warned(second)) == (False, True)


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
