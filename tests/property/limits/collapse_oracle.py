"""Triggers that collapse, by ``docs/concepts/collapse.md`` and not by the code.

Seconds since the creation of the job. An executor of a run begins ``behind`` seconds after it is
due, and takes ``takes`` seconds.
"""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Asked:
    """A trigger, by its place among all of them."""

    place: int
    at: int
    key: str


@dataclass(frozen=True, kw_only=True)
class Ran:
    """A run: the trigger that gave it its data, when it began, and the triggers that it is."""

    trigger: int
    begun: int
    of: tuple[int, ...]


@dataclass(frozen=True, kw_only=True)
class Rules:
    """The job's collapse rule, and the duration of its runs."""

    mode: str
    span: int
    longest: int
    behind: int
    takes: int


def runs(asked: Sequence[Asked], rules: Rules) -> list[Ran]:
    """The runs of all triggers, in the order in which they begin."""
    found = []
    for key in {each.key for each in asked}:
        found += _of_one_key([each for each in asked if each.key == key], rules)
    return sorted(found, key=lambda each: (each.begun, each.trigger))


def _of_one_key(asked: list[Asked], rules: Rules) -> list[Ran]:
    found: list[Ran] = []
    while asked:
        together = _together(asked, rules)
        asked = asked[len(together) :]
        stands = together[-1] if rules.mode == "last" else together[0]
        places = tuple(each.place for each in together)
        found.append(Ran(trigger=stands.place, begun=_begins(together, rules), of=places))
    return found


def _together(asked: list[Asked], rules: Rules) -> list[Asked]:
    """Return the first triggers that share one run."""
    count = 1
    while count < len(asked):
        so_far, following = asked[:count], asked[count]
        begins = _begins(so_far, rules)
        too_late = begins + rules.takes if rules.mode == "single" else begins
        if rules.mode == "last":
            too_late = min(too_late, so_far[0].at + rules.longest)
        if following.at >= too_late:
            break
        count += 1
    return asked[:count]


def _begins(together: list[Asked], rules: Rules) -> int:
    first, last = together[0], together[-1]
    if rules.mode != "last":
        return first.at + rules.span + rules.behind
    return min(last.at + rules.span, first.at + rules.longest) + rules.behind
