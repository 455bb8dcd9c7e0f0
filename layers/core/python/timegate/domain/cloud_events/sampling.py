"""Sampling: which events of a stage are sent, decided by rules and by the thing that changed."""

import json
from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any, Self

from timegate.domain.cloud_events.cloud_event import CloudEvent
from timegate.domain.cloud_events.event_types import EVENT_TYPES
from timegate.domain.values.tenant import TENANT_NAME
from timegate.value_classes import dataclass

#: A rule's ``percent`` has two decimals.
_PARTS = 10_000
_ALL = 100
_MOST_RULES = 20
_FIELDS = {"types", "tenants", "percent"}
_ANY = "*"


class InvalidSampling(ValueError):
    """The rules say nothing that can be followed."""


@dataclass(frozen=True, kw_only=True, slots=True)
class SamplingRule:
    """A share of the events of some types and tenants."""

    #: Names, or beginnings that end in ``*``.
    types: tuple[str, ...]
    tenants: tuple[str, ...]
    #: Things in 10,000 that are told of.
    parts: int

    def covers(self, event: CloudEvent) -> bool:
        """Tell if the rule decides about an event."""
        return _named(event.type.name, self.types) and _named(event.tenant, self.tenants)


@dataclass(frozen=True, kw_only=True, slots=True)
class Sampling:
    """Rules in order; the first that covers an event decides. An event without one is sent."""

    rules: tuple[SamplingRule, ...] = ()

    def includes(self, event: CloudEvent) -> bool:
        """Tell if an event is sent: the same for all events of one run under the same share.

        Nothing is drawn: a record that is read again decides as before.
        """
        rule = next((each for each in self.rules if each.covers(event)), None)
        if rule is None:
            return True
        seed = f"sampling\n{event.tenant}\n{event.subject}"
        drawn = int.from_bytes(sha256(seed.encode()).digest()[:8]) % _PARTS
        return drawn < rule.parts

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read a JSON list of rules; raises ``InvalidSampling``. An empty text has none."""
        if not text:
            return cls()
        try:
            listed = json.loads(text)
        except ValueError as error:
            raise InvalidSampling(f"the rules are no JSON: {error}") from error
        if not isinstance(listed, list) or len(listed) > _MOST_RULES:
            raise InvalidSampling(f"the rules are no list of at most {_MOST_RULES} objects")
        return cls(rules=tuple(_rule(each) for each in listed))


def _rule(given: object) -> SamplingRule:
    if not isinstance(given, Mapping) or not given.keys() <= _FIELDS or "percent" not in given:
        raise InvalidSampling("each rule has percent, and perhaps types and tenants")
    types, tenants = _names(given, "types"), _names(given, "tenants")
    for each in types:
        if not any(_matches(name, each) for name in EVENT_TYPES):
            raise InvalidSampling(f"{each!r} matches no type of events")
    for each in tenants:
        if each != _ANY and not TENANT_NAME.fullmatch(each.removesuffix(_ANY)):
            raise InvalidSampling(f"{each!r} matches no name of a tenant")
    return SamplingRule(types=types, tenants=tenants, parts=_parts(given["percent"]))


def _names(given: Mapping[str, Any], field: str) -> tuple[str, ...]:
    listed = given.get(field, [_ANY])
    if not isinstance(listed, list) or not listed or not all(isinstance(x, str) for x in listed):
        raise InvalidSampling(f"{field} is a list of texts, and not empty")
    return tuple(listed)


def _parts(percent: object) -> int:
    if isinstance(percent, bool) or not isinstance(percent, int | float):
        raise InvalidSampling(f"{percent!r} is no percent")
    # Neither infinity nor NaN, which JSON of Python may have, is within the bounds.
    if not 0 <= percent <= _ALL or round(percent, 2) != percent:
        raise InvalidSampling(f"{percent!r} is no percent from 0 to 100 with two decimals at most")
    return round(percent * 100)


def _named(name: str, patterns: Sequence[str]) -> bool:
    return any(_matches(name, each) for each in patterns)


def _matches(name: str, pattern: str) -> bool:
    return name.startswith(pattern[:-1]) if pattern.endswith(_ANY) else name == pattern
