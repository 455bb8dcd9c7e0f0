"""From Pydantic's errors to field, code and detail: codes are stable, Pydantic's types are not."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeVar

from pydantic import TypeAdapter, ValidationError

from timegate.domain.recurrence.kinds.kind import BOUNDS
from timegate.domain.recurrence.union.fields import BESIDE_ANY_OF
from timegate.domain.values.errors import InvalidInput

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

Read = TypeVar("Read")

#: A body of a million unknown fields deserves no answer of a hundred megabytes.
MAX_ERRORS = 20
_MAX_PART = 100
_MAX_DETAIL = 300

#: An error that is not listed keeps its own name when it is one of ours, and is ``invalid``
#: otherwise.
CODES: Mapping[str, str] = MappingProxyType(
    {
        "bool_type": "wrong_type",
        "dict_type": "wrong_type",
        "float_type": "wrong_type",
        "int_from_float": "wrong_type",
        "int_parsing": "wrong_type",
        "int_parsing_size": "wrong_type",
        "int_type": "wrong_type",
        "list_type": "wrong_type",
        "model_attributes_type": "wrong_type",
        "model_type": "wrong_type",
        "string_type": "wrong_type",
        "extra_forbidden": "unknown_field",
        "missing": "missing",
        "union_tag_not_found": "missing",
        "union_tag_invalid": "invalid_choice",
        "enum": "invalid_choice",
        "literal_error": "invalid_choice",
        "invalid_choice": "invalid_choice",
        "string_too_long": "too_long",
        "too_long": "too_long",
        "string_too_short": "too_short",
        "too_short": "too_short",
        "greater_than": "too_small",
        "greater_than_equal": "too_small",
        "less_than": "too_large",
        "less_than_equal": "too_large",
        "string_pattern_mismatch": "invalid_format",
        "invalid_format": "invalid_format",
        "calendar_duration": "calendar_duration",
        "invalid_duration": "invalid_duration",
        "invalid_instant": "invalid_instant",
        "no_utc_offset": "no_utc_offset",
        "out_of_range": "out_of_range",
        "wrong_type": "wrong_type",
        "required": "required",
        "contradictory": "contradictory",
    }
)
#: A member of an enumeration, as Pydantic writes those of a ``Literal``.
_MEMBER = re.compile(r"<\w+\.\w+: ('[^']*')>", re.ASCII)
_NO_FIELD = "There is no such field here."
_REQUIRED = "It is required."
#: Fields and lists of unions by a discriminator, whose choice Pydantic puts into the path.
_UNIONS = frozenset({"schedule", "action", "scope", "starts"})
_LISTS_OF_UNIONS = frozenset({"notifications", "channels", "any_of"})
#: An alternative that no field names: its tag begins so.
UNNAMED = "("


def refusals(error: ValidationError, model: Any, value: object = None) -> list[InvalidInput]:  # noqa: ANN401 - a type
    """Every error of a model, at most ``MAX_ERRORS``, named as the caller wrote it in ``value``."""
    details = error.errors(include_url=False, include_input=False)
    return [_translate(detail, model, value) for detail in details[:MAX_ERRORS]]


def read_value(model: Any, value: object, *, called: str) -> Any:  # noqa: ANN401 - a model's own
    """Read what a file holds by a contract, as a request with it is read.

    Raises ``InvalidInput`` for the first error; ``called`` names the whole.
    """
    try:
        text = json.dumps(value, allow_nan=False)
    except (TypeError, ValueError) as error:
        # YAML knows values that no request can carry.
        raise InvalidInput(called, "wrong_type", "It is no JSON.") from error
    try:
        return TypeAdapter(model).validate_json(text)
    except ValidationError as error:
        first = refusals(error, model, json.loads(text))[0]
        field = called if first.field == "body" else first.field
        raise InvalidInput(field, first.code, first.detail) from error


@contextmanager
def within(*places: object) -> Iterator[None]:
    """Name the place of a part in what is refused of it: ``edits.0.schedule.cron``."""
    try:
        yield
    except InvalidInput as refused:
        field = ".".join(map(str, (*places, refused.field)))
        raise InvalidInput(field, refused.code, refused.detail) from refused


def _translate(detail: "ErrorDetails", model: Any, value: object) -> InvalidInput:  # noqa: ANN401 - a type
    kind, context = detail["type"], detail.get("ctx", {})
    field = _path(detail["loc"], context, value)
    code = CODES.get(kind, "invalid")
    if kind != "extra_forbidden":
        return InvalidInput(field, code, _explain(kind, context, detail["msg"]))
    if ".any_of." in field and field.endswith(BOUNDS):
        return InvalidInput(field, code, BESIDE_ANY_OF)
    # Few requests name a field that there is not.
    from timegate.contracts.values.known_fields import hint  # noqa: PLC0415

    return InvalidInput(field, code, f"{_NO_FIELD} {hint(model, detail['loc'])}".rstrip())


def _path(location: Sequence[int | str], context: Mapping[str, Any], value: object) -> str:
    parts: list[str] = []
    here, chosen = value, None
    for part in location:
        if part == "[key]" or str(part).startswith(UNNAMED):
            continue
        if here is not chosen and _is_alternative(part, parts, here):
            chosen = here
            continue
        parts.append(str(part)[:_MAX_PART])
        here = _part_of(here, part)
    if "discriminator" in context:
        parts.append(str(context["discriminator"]).strip("'"))
    return ".".join(parts) or "body"


def _is_alternative(part: int | str, parts: Sequence[str], here: object) -> bool:
    """Tell if a part of the path is an object's alternative: named by a field of it, or by none."""
    of_union = not _UNIONS.isdisjoint(parts[-1:]) or not _LISTS_OF_UNIONS.isdisjoint(parts[-2:-1])
    if not of_union or not isinstance(here, Mapping):
        return False
    return part in {here.get("kind"), here.get("type")} or part not in here


def _part_of(value: object, part: int | str) -> object:
    if isinstance(value, Mapping):
        return value.get(part)
    inside = isinstance(value, list) and isinstance(part, int) and part < len(value)
    return value[part] if inside else None  # type: ignore[index]


def _explain(kind: str, context: Mapping[str, Any], message: str) -> str:
    if kind.startswith("union_tag"):
        expected = context.get("expected_tags")
        return f"It must be one of {expected}." if expected else _REQUIRED
    if kind in {"enum", "literal_error"}:
        # Never cut: the choices are ours.
        choices = _MEMBER.sub(r"\1", context["expected"])
        return f"It must be one of {choices}." if " or " in choices else f"It must be {choices}."
    if kind == "missing":
        return _REQUIRED
    # Few requests are refused.
    from timegate.contracts.values.refusal_words import worded  # noqa: PLC0415

    return (worded(kind, context) or message)[:_MAX_DETAIL]
