"""Triggers of a job in a document, and how they collapse."""

import re
from typing import Any

from timegate.domain.jobs.definition import UNSET
from timegate.domain.limits.collapse import (
    MAX_KEY_LENGTH,
    MAX_SPAN_SECONDS,
    MAX_WAIT_SECONDS,
    POINTER,
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
    or_null,
    seconds,
    text,
    whole,
)
from timegate.domain.simulation.scenario import SimulatedTrigger
from timegate.domain.values.durations import MAX_SECONDS
from timegate.domain.values.errors import InvalidInput
from timegate.domain.values.payload import json_text

_POINTER = re.compile(POINTER)
_MAX_POINTER = 128


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
        refuse_once(given)
        every_seconds = 0.0
    key: str | None = given.optional("key", _key, None)
    payload = given.optional("payload", read_json, UNSET)
    given.done()
    return SimulatedTrigger(
        at=at, key=key, times=times, every_seconds=every_seconds, payload=payload
    )


def read_json(value: object, path: str) -> Any:  # noqa: ANN401 - any JSON
    """Any JSON."""
    try:
        json_text(value)
    except (TypeError, ValueError) as error:
        raise InvalidInput(path, "wrong_type", "It is no JSON.") from error
    return value


def _key(value: object, path: str) -> str:
    key = text(value, path)
    if not 1 <= len(key) <= MAX_KEY_LENGTH:
        code = "too_long" if key else "too_short"
        raise InvalidInput(path, code, f"It has 1 to {MAX_KEY_LENGTH} characters.")
    return key


def _pointer(value: object, path: str) -> str:
    pointer = text(value, path)
    if len(pointer) > _MAX_POINTER or _POINTER.fullmatch(pointer) is None:
        detail = "It must be a JSON pointer such as /customer/id."
        raise InvalidInput(path, "invalid_format", detail)
    return pointer


def refuse_once(given: Fields) -> None:
    """Refuse a span between occurrences of what comes once."""
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
        key_from=given.optional("key_from", or_null(_pointer), None),
    )
    given.done()
    check_collapse(rule, field=path)
    return rule
