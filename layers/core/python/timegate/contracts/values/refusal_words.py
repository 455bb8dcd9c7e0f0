"""Words for what Pydantic refuses: plain ones, the same on the command line and in the API."""

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from timegate.domain.actions.field_limits import PRINTABLE
from timegate.domain.values.identity import JOB_KEY, JOB_REFERENCE

_OBJECT = "It must be an object."
_WHOLE = "It must be a whole number."
_NUMBER = "It must be a number."
_TRUTH = "It must be true or false."
_KINDS: Mapping[str, str] = MappingProxyType(
    {
        "bool_type": _TRUTH,
        "bool_parsing": _TRUTH,
        "dict_type": _OBJECT,
        "model_type": _OBJECT,
        "model_attributes_type": _OBJECT,
        "float_type": _NUMBER,
        "float_parsing": _NUMBER,
        "int_type": _WHOLE,
        "int_parsing": _WHOLE,
        "int_from_float": _WHOLE,
        "list_type": "It must be a list.",
        "string_type": "It must be text.",
        "greater_than": "It must be more than {gt}.",
        "greater_than_equal": "It must be {ge} or more.",
        "less_than": "It must be less than {lt}.",
        "less_than_equal": "It must be {le} or less.",
        "string_too_long": "It has more than {max_length} characters.",
        "string_too_short": "It has fewer than {min_length} characters.",
        "too_long": "It has more than {max_length} entries.",
        "too_short": "It has fewer than {min_length} entries.",
    }
)
_EMPTY = "It must not be empty."
#: Lengths of one, of which less is nothing.
_LEAST = {"string_too_short", "too_short"}
_PATTERNS: Mapping[str, str] = MappingProxyType(
    {
        PRINTABLE: "It has a control character, such as a tab or the end of a line.",
        JOB_REFERENCE: "It names no job: give the id of one, or key: and its key.",
        JOB_KEY: "It has 1 to 64 letters a to z, digits, dots, dashes and underscores.",
    }
)
#: Names as tenants, calendars, rules and pools have them.
_SMALL_NAME = re.compile(r"\^?\[a-z0-9\]\[a-z0-9-\]\{0,(\d+)\}\$?")
#: Things named by their kind and their id, as the audit trail has them.
_KIND_AND_ID = re.compile(r"\^\(([a-z_|]+)\)/\[!-~\]\+\$")


def worded(kind: str, context: Mapping[str, Any]) -> str | None:
    """Return the words for an error of Pydantic's; ``None`` for one that has words of its own."""
    if kind == "string_pattern_mismatch":
        return _of_pattern(str(context["pattern"]))
    if kind in _LEAST and context.get("min_length") == 1:
        return _EMPTY
    words = _KINDS.get(kind)
    if words is None:
        return None
    try:
        return words.format_map(context)
    except KeyError:
        # A contract raises errors of these kinds too: they have words, and no bound beside them.
        return None


def _of_pattern(pattern: str) -> str:
    small = _SMALL_NAME.fullmatch(pattern)
    if small is not None:
        most = int(small[1]) + 1
        return f"It has 1 to {most} letters a to z, digits and dashes, and begins with no dash."
    resource = _KIND_AND_ID.fullmatch(pattern)
    if resource is not None:
        kinds = resource[1].split("|")
        return f"It must be a kind, a slash and an id, as {kinds[0]}/ID; kinds: {', '.join(kinds)}."
    return _PATTERNS.get(pattern, f"It must be written as {pattern}.")
