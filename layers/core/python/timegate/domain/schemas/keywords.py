"""Keywords of schemas: which there are, which types they belong to, and which there are not."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

#: Keywords that go with any type.
ANYWHERE: Final = frozenset({"type", "enum", "const", "title", "description", "default"})
#: The only dialect, which a schema may name.
DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
#: Types to which a keyword says something; without one of them it would say nothing.
BELONGS_TO: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "properties": ("object",),
        "required": ("object",),
        "additionalProperties": ("object",),
        "items": ("array",),
        "minItems": ("array",),
        "maxItems": ("array",),
        "minimum": ("integer", "number"),
        "maximum": ("integer", "number"),
        "minLength": ("string",),
        "maxLength": ("string",),
        "pattern": ("string",),
        "format": ("string",),
    }
)
#: Keywords of JSON Schema with a way to do without them.
INSTEAD: Final[Mapping[str, str]] = MappingProxyType(
    {
        "$ref": "Schemas refer to nothing: write the schema here.",
        "$dynamicRef": "Schemas refer to nothing: write the schema here.",
        "$defs": "Schemas refer to nothing: write each schema where it belongs.",
        "definitions": "Schemas refer to nothing: write each schema where it belongs.",
        "anyOf": "There are no alternatives: several types are a list, several values an enum.",
        "oneOf": "There are no alternatives: several types are a list, several values an enum.",
        "allOf": "There are no combinations: write one schema.",
        "nullable": 'Write the type as a list with "null" in it.',
        "exclusiveMinimum": "Write minimum.",
        "exclusiveMaximum": "Write maximum.",
    }
)


def unknown_keyword(name: str) -> str:
    """Return a sentence on a keyword that schemas of payloads do not have."""
    known = ", ".join(sorted({*ANYWHERE, *BELONGS_TO}))
    return INSTEAD.get(name) or f"Schemas of payloads have no such keyword; there are {known}."
