"""Patterns as EventBridge has them: objects name fields, and lists the values that these may have.

``{"type": ["order.paid"], "data": {"total": [{"numeric": [">", 100]}]}}``. Every field must match,
and one value of its list. A pattern of no field matches every event.
"""

from collections.abc import Mapping, Sequence

from timegate.domain.values.errors import InvalidInput

OR = "$or"
EXISTS = "exists"
PREFIX = "prefix"
SUFFIX = "suffix"
IGNORE_CASE = "equals-ignore-case"
ANYTHING_BUT = "anything-but"
NUMERIC = "numeric"
OPERATORS = (EXISTS, PREFIX, SUFFIX, IGNORE_CASE, ANYTHING_BUT, NUMERIC)
COMPARISONS = ("=", "<", "<=", ">", ">=")
#: Objects in objects, the pattern itself included.
MAX_DEPTH = 12
#: Values and operators in all of a pattern.
MAX_RULES = 100
#: Two comparisons are a range.
_COMPARISON_LENGTHS = (2, 4)
_SCALARS = (str, int, float, bool, type(None))


def check_pattern(pattern: object, field: str = "pattern") -> None:
    """Refuse a pattern that means nothing; raises ``InvalidInput`` naming the place in it."""
    rules = _check_object(pattern, field, depth=1)
    if rules > MAX_RULES:
        detail = f"It has {rules} values and operators; the limit is {MAX_RULES}."
        raise InvalidInput(field, "too_complex", detail)


def _check_object(pattern: object, field: str, *, depth: int) -> int:
    """Check an object of a pattern; returns how many rules it has."""
    if depth > MAX_DEPTH:
        raise InvalidInput(field, "too_complex", f"Objects may be nested {MAX_DEPTH} deep.")
    if not isinstance(pattern, Mapping):
        detail = "It must be an object of fields, or a list of the values that a field may have."
        raise InvalidInput(field, "invalid_pattern", detail)
    rules = 0
    for name, inner in pattern.items():
        place = f"{field}.{name}"
        if name == OR:
            rules += _check_choices(inner, place, depth=depth)
        elif isinstance(inner, list):
            rules += _check_rules(inner, place)
        else:
            rules += _check_object(inner, place, depth=depth + 1)
    return rules


def _check_choices(choices: object, field: str, *, depth: int) -> int:
    if not isinstance(choices, list) or len(choices) < 2:  # noqa: PLR2004 - a choice
        raise InvalidInput(field, "invalid_pattern", "It must be a list of two patterns or more.")
    return sum(
        _check_object(each, f"{field}.{number}", depth=depth + 1)
        for number, each in enumerate(choices)
    )


def _check_rules(rules: Sequence[object], field: str) -> int:
    if not rules:
        detail = "An empty list matches nothing; leave the field out to match anything."
        raise InvalidInput(field, "invalid_pattern", detail)
    return sum(_check_rule(each, f"{field}.{number}") for number, each in enumerate(rules))


def _check_rule(rule: object, field: str) -> int:
    if isinstance(rule, _SCALARS):
        return 1
    if not isinstance(rule, Mapping) or len(rule) != 1:
        detail = "It must be a text, a number, true, false, null, or an object of one operator."
        raise InvalidInput(field, "invalid_pattern", detail)
    ((operator, value),) = rule.items()
    place = f"{field}.{operator}"
    match operator:
        case "exists":
            _check(isinstance(value, bool), place, "It must be true or false.")
        case "prefix" | "suffix":
            _check_end(value, place)
        case "equals-ignore-case":
            _check(isinstance(value, str), place, "It must be a text.")
        case "anything-but":
            return _check_excluded(value, place)
        case "numeric":
            _check_comparisons(value, place)
        case _:
            known = ", ".join(OPERATORS)
            detail = f"There is no operator {operator}; there are {known}."
            raise InvalidInput(field, "unknown_operator", detail[:500])
    return 1


def _check_end(value: object, field: str) -> None:
    """A prefix or suffix: a text, or a text in any case."""
    if isinstance(value, Mapping) and value.keys() == {IGNORE_CASE}:
        value = value[IGNORE_CASE]
    detail = f'It must be a text that is not empty, or {{"{IGNORE_CASE}": a text}}.'
    _check(isinstance(value, str) and value != "", field, detail)


def _check_excluded(value: object, field: str) -> int:
    if isinstance(value, Mapping):
        detail = f"It can have one of {PREFIX}, {SUFFIX} and {IGNORE_CASE}."
        _check(len(value) == 1 and value.keys() <= {PREFIX, SUFFIX, IGNORE_CASE}, field, detail)
        (value,) = value.values()
        values, wanted = _listed(value), "They must be texts."
        are_so = all(isinstance(each, str) for each in values)
    else:
        values, wanted = _listed(value), "It must be a value, or a list of values."
        are_so = all(isinstance(each, _SCALARS) for each in values)
    _check(bool(values) and are_so, field, wanted)
    return len(values)


def _check_comparisons(value: object, field: str) -> None:
    detail = f"It must be one comparison or two, such as ['>', 0, '<=', 5]: {COMPARISONS}."
    _check(isinstance(value, list) and len(value) in _COMPARISON_LENGTHS, field, detail)
    parts = _listed(value)
    _check(all(each in COMPARISONS for each in parts[::2] if isinstance(each, str)), field, detail)
    _check(all(isinstance(each, str) for each in parts[::2]), field, detail)
    _check(all(is_number(each) for each in parts[1::2]), field, detail)


def is_number(value: object) -> bool:
    """Tell if a JSON value is a number; true and false are none."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def _listed(value: object) -> list[object]:
    return value if isinstance(value, list) else [value]


def _check(holds: bool, field: str, detail: str) -> None:
    if not holds:
        raise InvalidInput(field, "invalid_pattern", detail)
