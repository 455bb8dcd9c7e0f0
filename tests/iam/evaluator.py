"""Decides a request by identity policies, as IAM does; what it does not model, it refuses.

https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_evaluation-logic.html,
reference_policies_elements_condition_operators.html,
reference_policies_multi-value-conditions.html.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache
from typing import Any

Statement = Mapping[str, Any]


class Unmodelled(AssertionError):
    """A policy or a call uses something that this evaluator knows nothing about."""


class Decision(StrEnum):
    """The three answers of IAM."""

    ALLOWED = "allowed"
    #: No statement allows it.
    IMPLICIT_DENY = "implicitly denied"
    #: A statement denies it, whatever others allow.
    EXPLICIT_DENY = "explicitly denied"


@dataclass(frozen=True, kw_only=True)
class Request:
    """One action on one resource, with the values of condition keys."""

    action: str
    resource: str
    context: tuple[tuple[str, tuple[str, ...]], ...] = field(default=())

    def values(self, key: str) -> tuple[str, ...] | None:
        """The values of a condition key; ``None``: the request has no such key."""
        wanted = key.lower()
        return next((found for name, found in self.context if name.lower() == wanted), None)

    def without_context(self) -> "Request":
        """The same request from a service that tells IAM no condition keys of its own."""
        kept = tuple(each for each in self.context if each[0].startswith("aws:"))
        return Request(action=self.action, resource=self.resource, context=kept)

    def __str__(self) -> str:
        told = "".join(f" {name}={', '.join(found)}" for name, found in self.context)
        return f"{self.action} on {self.resource}{told}"


def decide(statements: Iterable[Statement], request: Request) -> Decision:
    """An explicit denial wins, then an allowance; else the request is denied implicitly."""
    effects = {each["Effect"] for each in statements if applies(each, request)}
    if "Deny" in effects:
        return Decision.EXPLICIT_DENY
    return Decision.ALLOWED if "Allow" in effects else Decision.IMPLICIT_DENY


def applies(statement: Statement, request: Request) -> bool:
    """Return whether action, resource and all conditions of a statement match."""
    unknown = set(statement) - {"Sid", "Effect", *_ELEMENTS, "Condition"}
    if unknown or statement["Effect"] not in {"Allow", "Deny"}:
        raise Unmodelled(f"statement with {sorted(unknown) or statement['Effect']}")
    return (
        _matches(
            statement, "Action", lambda wanted: is_like(wanted.lower(), request.action.lower())
        )
        and _matches(statement, "Resource", lambda wanted: is_covered(wanted, request))
        and all(
            _holds(operator, request.values(key), _filled_all(operator, listed(wanted), request))
            for operator, keys in statement.get("Condition", {}).items()
            for key, wanted in keys.items()
        )
    )


def is_like(pattern: str, text: str) -> bool:
    """``*`` is any text, ``?`` one character; nothing else is special."""
    return _expression(pattern).fullmatch(text) is not None


def is_covered(pattern: str, request: Request) -> bool:
    """Tell if an ARN matches once tags of the session stand in it."""
    filled = _filled(pattern, request)
    return filled is not None and is_like(filled, request.resource)


def _filled_all(operator: str, patterns: Sequence[str], request: Request) -> Sequence[str]:
    """Fill the values of a condition; one whose tag is missing matches nothing."""
    filled = [_filled(pattern, request) for pattern in patterns]
    if None in filled and "Not" in operator:
        raise Unmodelled(f"{operator} with a tag that the session lacks")
    return [each for each in filled if each is not None]


def _filled(pattern: str, request: Request) -> str | None:
    """Replace ``${aws:PrincipalTag/…}`` by tags of the session; ``None``: one is missing."""
    tags = {name: request.values(name) for name in _TAG.findall(pattern)}
    if any(found is None for found in tags.values()):
        return None
    return _TAG.sub(lambda named: _literal(tags[named[1]]), pattern)


def _literal(values: tuple[str, ...] | None) -> str:
    (value,) = values or ()
    if set("*?") & set(value):
        raise Unmodelled(f"wildcard in the tag {value}")
    return value


def listed(value: str | Sequence[str]) -> Sequence[str]:
    """A policy may leave out the brackets around one value."""
    return [value] if isinstance(value, str) else value


_TAG = re.compile(r"\$\{(aws:PrincipalTag/\w+)\}")
_ELEMENTS = ("Action", "NotAction", "Resource", "NotResource")


def _matches(statement: Statement, name: str, fits: Callable[[str], bool]) -> bool:
    if (name in statement) == (f"Not{name}" in statement):
        raise Unmodelled(f"statement needs {name} or Not{name}")
    if name in statement:
        return any(fits(each) for each in listed(statement[name]))
    return not any(fits(each) for each in listed(statement[f"Not{name}"]))


@cache
def _expression(pattern: str) -> re.Pattern[str]:
    if "${" in pattern:
        raise Unmodelled(f"policy variable in {pattern}")
    parts = {"*": ".*", "?": "."}
    return re.compile("".join(parts.get(each, re.escape(each)) for each in pattern), re.DOTALL)


def _same(wanted: str, value: str) -> bool:
    return wanted == value


_COMPARISONS: Mapping[str, Callable[[str, str], bool]] = {
    "StringEquals": _same,
    "StringLike": is_like,
    "ArnEquals": is_like,
    "ArnLike": is_like,
    "Bool": lambda wanted, value: wanted.lower() == value.lower(),
}
_NEGATED = {"StringNotEquals": "StringEquals", "StringNotLike": "StringLike"} | {
    "ArnNotEquals": "ArnEquals",
    "ArnNotLike": "ArnLike",
}


def _holds(operator: str, values: tuple[str, ...] | None, wanted: Sequence[str]) -> bool:
    """Return whether one condition holds for the values of its key."""
    quantifier, _, name = operator.rpartition(":")
    if name == "Null":
        return (values is None) == (wanted[0].lower() == "true")
    if name.endswith("IfExists"):
        return values is None or _holds(operator.removesuffix("IfExists"), values, wanted)
    fits = _comparing(operator, name, wanted)
    match quantifier:
        case "ForAllValues":
            # True of no values at all.
            return all(map(fits, values or ()))
        case "ForAnyValue":
            return any(map(fits, values or ()))
        case _:
            return _fits_one(operator, values, fits)


def _fits_one(operator: str, values: tuple[str, ...] | None, fits: Callable[[str], bool]) -> bool:
    """A key that is absent fits only what is negated."""
    if values is None:
        return operator in _NEGATED
    if len(values) != 1:
        raise Unmodelled(f"{operator} on a key of several values")
    return fits(values[0])


def _comparing(operator: str, name: str, wanted: Sequence[str]) -> Callable[[str], bool]:
    compare = _COMPARISONS.get(_NEGATED.get(name, name))
    quantified = operator.removesuffix(name)
    if compare is None or quantified not in {"", "ForAllValues:", "ForAnyValue:"}:
        raise Unmodelled(f"condition operator {operator}")
    return lambda value: any(compare(each, value) for each in wanted) != (name in _NEGATED)
