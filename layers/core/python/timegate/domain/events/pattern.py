"""Patterns over JSON, in a part of the language of EventBridge's rules.

A pattern is an object. Each field names a list of alternatives, or an object for an inner object
of the data. Data that is a list matches if one of its elements does.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from timegate.domain.values.errors import InvalidInput

MAX_PATTERN_BYTES = 2_048
MAX_PATTERN_DEPTH = 8
#: Alternatives of all fields together.
MAX_ALTERNATIVES = 50

Pattern = Mapping[str, Any]
_SCALARS = (str, int, float, bool)
_COMPARISONS: Mapping[str, Callable[[float, float], bool]] = {
    "=": lambda value, bound: value == bound,
    "<": lambda value, bound: value < bound,
    "<=": lambda value, bound: value <= bound,
    ">": lambda value, bound: value > bound,
    ">=": lambda value, bound: value >= bound,
}
_KNOWN = "prefix, suffix, exists, anything-but or numeric"


def matches(pattern: Pattern, data: object) -> bool:
    """Tell if data has all that a pattern asks for; the pattern has no problems."""
    return all(_field_matches(asked, data, name) for name, asked in pattern.items())


def pattern_problems(pattern: object, field: str) -> Iterator[InvalidInput]:
    """List what is wrong with a pattern; ``field``: where it stands."""
    left = [MAX_ALTERNATIVES]
    yield from _problems(pattern, field, left, depth=1)
    if left[0] < 0:
        detail = f"A pattern has at most {MAX_ALTERNATIVES} alternatives."
        yield InvalidInput(field, "too_complex", detail)


def _field_matches(asked: Any, data: object, name: str) -> bool:  # noqa: ANN401 - any JSON
    found = data.get(name, _MISSING) if isinstance(data, Mapping) else _MISSING
    if isinstance(asked, Mapping):
        return matches(asked, found)
    values = found if isinstance(found, list) and found else [found]
    return any(_is(alternative, value) for alternative in asked for value in values)


class _Missing:
    """Stand for a field that the data does not have."""


_MISSING = _Missing()


def _is(alternative: Any, value: object) -> bool:  # noqa: ANN401 - any JSON
    """Tell if a value is one alternative."""
    if not isinstance(alternative, Mapping):
        return value is not _MISSING and _same(alternative, value)
    ((operator, asked),) = alternative.items()
    match operator:
        case "exists":
            return (value is not _MISSING) is asked
        case "prefix":
            return isinstance(value, str) and value.startswith(asked)
        case "suffix":
            return isinstance(value, str) and value.endswith(asked)
        case "anything-but":
            but = asked if isinstance(asked, list) else [asked]
            return value is not _MISSING and not any(_same(each, value) for each in but)
        case _:
            return (
                _is_number(value)
                and all(
                    _COMPARISONS[sign](value, bound)  # type: ignore[arg-type]
                    for sign, bound in zip(asked[::2], asked[1::2], strict=True)
                )
            )


def _same(asked: object, value: object) -> bool:
    """Compare as JSON does: ``true`` is not 1."""
    return isinstance(asked, bool) is isinstance(value, bool) and asked == value


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _problems(
    pattern: object, field: str, left: list[int], *, depth: int
) -> Iterator[InvalidInput]:
    if not isinstance(pattern, Mapping) or not pattern:
        detail = "A pattern is an object with a list of alternatives, or an object, in each field."
        yield InvalidInput(field, "invalid_pattern", detail)
        return
    if depth > MAX_PATTERN_DEPTH:
        detail = f"A pattern is at most {MAX_PATTERN_DEPTH} objects deep."
        yield InvalidInput(field, "too_complex", detail)
        return
    for name, asked in pattern.items():
        place = f"{field}.{str(name)[:100]}"
        if isinstance(asked, list):
            left[0] -= len(asked)
            yield from _list_problems(asked, place)
        else:
            yield from _problems(asked, place, left, depth=depth + 1)


def _list_problems(asked: list[Any], field: str) -> Iterator[InvalidInput]:
    if not asked:
        yield InvalidInput(field, "invalid_pattern", "An empty list matches nothing.")
    for number, each in enumerate(asked[:MAX_ALTERNATIVES]):
        if each is not None and not isinstance(each, _SCALARS) and not _is_operator(each):
            detail = f"An alternative is a value, or an object with one of {_KNOWN}."
            yield InvalidInput(f"{field}.{number}", "invalid_pattern", detail)


def _is_operator(each: object) -> bool:
    """Tell if an object is one operator with a value that it takes."""
    if not isinstance(each, Mapping) or len(each) != 1:
        return False
    ((operator, asked),) = each.items()
    match operator:
        case "exists":
            return isinstance(asked, bool)
        case "prefix" | "suffix":
            return isinstance(asked, str) and bool(asked)
        case "anything-but":
            values = asked if isinstance(asked, list) else [asked]
            return bool(values) and all(v is None or isinstance(v, _SCALARS) for v in values)
        case "numeric":
            return _is_comparison(asked)
        case _:
            return False


def _is_comparison(asked: object) -> bool:
    if not isinstance(asked, list) or len(asked) not in {2, 4}:
        return False
    signs_known = all(isinstance(sign, str) and sign in _COMPARISONS for sign in asked[::2])
    return signs_known and all(_is_number(bound) for bound in asked[1::2])
