"""Triggers of a job in a document, and how they collapse."""

from timegate.domain.limits.collapse import (
    MAX_KEY_LENGTH,
    MAX_SPAN_SECONDS,
    MAX_WAIT_SECONDS,
    Collapse,
    CollapseMode,
    check_collapse,
)
from timegate.domain.simulation.parsing.fields import (
    MAX_LIST,
    Fields,
    instant,
    number,
    one_of,
    seconds,
    text,
    whole,
)
from timegate.domain.simulation.scenario import SimulatedTrigger
from timegate.domain.values.durations import MAX_SECONDS
from timegate.domain.values.errors import InvalidInput


def read_trigger(value: object, path: str) -> SimulatedTrigger:
    """A trigger: its instant, or with a key, and as often as it comes."""
    if not isinstance(value, dict):
        return SimulatedTrigger(at=instant(value, path))
    given = Fields(value, path)
    at, times = given.required("at", instant), given.optional("times", whole(1, MAX_LIST), 1)
    every = seconds(number(0.001, MAX_SECONDS))
    if times > 1:
        every_seconds: float = given.required("every_seconds", every)
    else:
        _refuse_once(given)
        every_seconds = 0.0
    key: str | None = given.optional("key", _key, None)
    given.done()
    return SimulatedTrigger(at=at, key=key, times=times, every_seconds=every_seconds)


def _key(value: object, path: str) -> str:
    key = text(value, path)
    if not 1 <= len(key) <= MAX_KEY_LENGTH:
        code = "too_long" if key else "too_short"
        raise InvalidInput(path, code, f"It has 1 to {MAX_KEY_LENGTH} characters.")
    return key


def _refuse_once(given: Fields) -> None:
    if "every_seconds" in given.given():
        detail = "It comes once; say how many times."
        raise InvalidInput(given.path("every_seconds"), "without_effect", detail)


def read_collapse(value: object, path: str) -> Collapse | None:
    """Return the rule by which triggers collapse; ``None``: there is none."""
    if value is None:
        return None
    given = Fields(value, path)
    rule = Collapse(
        mode=given.optional("mode", one_of(CollapseMode), CollapseMode.LAST),
        span_seconds=given.optional("span_seconds", seconds(whole(0, MAX_SPAN_SECONDS)), 0),
        max_wait_seconds=given.optional(
            "max_wait_seconds", seconds(whole(1, MAX_WAIT_SECONDS)), None
        ),
    )
    given.done()
    check_collapse(rule, field=path)
    return rule
