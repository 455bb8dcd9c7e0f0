"""From Pydantic's errors to field, code and detail: codes are stable, Pydantic's types are not."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from api.http.refusals import FieldError
from timegate.domain.recurrence.kinds.kind import BOUNDS
from timegate.domain.recurrence.union.fields import BESIDE_ANY_OF

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

#: A body of a million unknown fields deserves no answer of a hundred megabytes.
MAX_ERRORS = 20
_MAX_PART = 100
_MAX_DETAIL = 300

#: What is not listed keeps its own name when it is one of ours, and is ``invalid`` otherwise.
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
_DETAILS = MappingProxyType(
    {
        "extra_forbidden": "There is no such field here.",
        "missing": "It is required.",
    }
)
#: Unions by a discriminator: Pydantic puts the chosen alternative into the path.
_UNIONS = frozenset({"schedule", "action", "scope"})
#: Lists of such unions.
_LISTS_OF_UNIONS = frozenset({"notifications", "channels"})


def field_errors(error: ValidationError) -> list[FieldError]:
    """Every error, at most ``MAX_ERRORS``, named as the caller wrote the field."""
    details = error.errors(include_url=False, include_input=False)
    return [_translate(detail) for detail in details[:MAX_ERRORS]]


def _translate(detail: "ErrorDetails") -> FieldError:
    kind, context = detail["type"], detail.get("ctx", {})
    field = _path(detail["loc"], context)
    is_of_union = kind == "extra_forbidden" and ".any_of." in field and field.endswith(BOUNDS)
    return FieldError(
        field=field,
        code=CODES.get(kind, "invalid"),
        detail=BESIDE_ANY_OF if is_of_union else _explain(kind, context, detail["msg"]),
    )


def _path(location: Sequence[int | str], context: Mapping[str, Any]) -> str:
    parts = [str(part)[:_MAX_PART] for part in location if part != "[key]"]
    # A task has its action within its job: tasks.3.job.action.
    place = 3 if parts[:1] == ["tasks"] else 0
    if len(parts) > place + 1 and parts[place] in _UNIONS:
        del parts[place + 1]
    for name in _LISTS_OF_UNIONS.intersection(parts[:-3]):
        # notifications.0.sns.topic_arn: the kind of the channel.
        del parts[parts.index(name) + 2]
    if "any_of" in parts[:-3]:
        # any_of.0.cron.timezone: the kind of the member.
        del parts[parts.index("any_of") + 2]
    if "discriminator" in context:
        parts.append(str(context["discriminator"]).strip("'"))
    return ".".join(parts) or "body"


def _explain(kind: str, context: Mapping[str, Any], message: str) -> str:
    if kind.startswith("union_tag"):
        expected = context.get("expected_tags")
        return f"It must be one of {expected}." if expected else "It is required."
    return _DETAILS.get(kind, message)[:_MAX_DETAIL]
