"""Schemas of payloads mean what JSON Schema means, and patterns what they mean elsewhere."""

import json
import re
from typing import Any

import jsonschema_rs
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tests.examples import some
from timegate.domain.schemas.fitting import faults_of
from timegate.domain.schemas.schema_reader import read_schema
from timegate.domain.schemas.text_pattern import TextPattern
from timegate.domain.values.errors import InvalidInput

_TEXTS = ["", "a", "ab", "xxx", "2026-11-30", "2026-02-30", "2026-11-30T07:00:00Z"]
_scalars = st.sampled_from([None, True, False, 0, 1, 2, 1.0, 2.5, -3, 10**30, *_TEXTS])
_names = st.sampled_from("abc")
_values = st.recursive(
    _scalars,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_names, inner, max_size=3),
    max_leaves=8,
)
_counts = st.integers(0, 3)


def _of_types(inner: st.SearchStrategy[dict[str, Any]]) -> st.SearchStrategy[dict[str, Any]]:
    """Schemas whose keywords belong to their type."""
    keywords: dict[str, dict[str, st.SearchStrategy[Any]]] = {
        "object": {
            "properties": st.dictionaries(_names, inner, max_size=3),
            "required": st.lists(_names, max_size=2, unique=True),
            "additionalProperties": st.booleans() | inner,
        },
        "array": {"items": inner, "minItems": _counts, "maxItems": _counts},
        "string": {
            "minLength": _counts,
            "maxLength": _counts,
            "pattern": st.sampled_from(["^a", "b$", "^x{1,3}$", "[a-c]"]),
            "format": st.sampled_from(["date", "date-time"]),
        },
        "integer": {"minimum": _counts, "maximum": st.sampled_from([1, 2.5])},
        "number": {"minimum": st.sampled_from([0.5, 1]), "maximum": _counts},
        "boolean": {},
        "null": {},
    }
    named = [
        st.fixed_dictionaries(
            {"type": st.sampled_from([name, [name, "null"]] if name != "null" else [name])},
            optional=each,
        )
        for name, each in keywords.items()
    ]
    choices = st.lists(_scalars, min_size=1, max_size=3).map(lambda values: {"enum": values})
    return st.one_of(*named, choices, st.just({}))


_schemas: st.SearchStrategy[dict[str, Any]] = st.recursive(st.just({}), _of_types, max_leaves=6)


@settings(max_examples=some(400))
@given(schema=_schemas, values=st.lists(_values, min_size=1, max_size=5))
def test_a_value_fits_where_another_reading_of_json_schema_says_so(
    schema: dict[str, Any], values: list[Any]
) -> None:
    """The same is said of every schema that is accepted."""
    try:
        read = read_schema(json.dumps(schema))
    except InvalidInput:
        assume(False)  # noqa: FBT003 - Hypothesis takes it so
    other = jsonschema_rs.Draft202012Validator(schema, validate_formats=True)

    assert [not faults_of(read, value, "") for value in values] == list(map(other.is_valid, values))


_atoms = st.sampled_from(["a", "b", "[ab1]", "[^a]", ".", "\\d", "\\W", "\\$", "\\s", "-"])
_times = st.sampled_from(["", "", "*", "+", "?", "{2}", "{0,2}", "{1,}"])
_parts = st.recursive(
    st.builds("{}{}".format, _atoms, _times),
    lambda inner: (
        st.builds("(?:{}){}".format, st.lists(inner, min_size=1, max_size=3).map("|".join), _times)
        | st.lists(inner, min_size=1, max_size=3).map("".join)
    ),
    max_leaves=6,
)
_patterns = st.builds("{}{}{}".format, st.sampled_from(["", "^"]), _parts, st.sampled_from("$ "))


@settings(max_examples=some(400))
@given(
    pattern=_patterns.map(str.rstrip),
    texts=st.lists(st.text("ab12-.x\n$^", max_size=6), min_size=1, max_size=5),
)
def test_a_text_matches_where_python_says_so(pattern: str, texts: list[str]) -> None:
    """``$`` is the end of the text alone, as in ECMA-262."""
    read = TextPattern(pattern)
    ends = pattern.endswith("$") and not pattern.endswith("\\$")
    python = re.compile(f"{pattern[:-1]}\\Z" if ends else pattern, re.ASCII)

    assert [read.matches(text) for text in texts] == [
        python.search(text) is not None for text in texts
    ]
