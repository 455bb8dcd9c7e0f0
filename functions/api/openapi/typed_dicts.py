"""The description's schemas as Python types, for the client and those who use it.

A ``TypedDict`` costs nothing when a program runs: an answer stays the JSON that it is, and one with
fields of a later stage is still read.
"""

import json
from collections.abc import Mapping
from keyword import iskeyword
from typing import Any

from api.openapi.formatting import formatted

Schema = Mapping[str, Any]

_HEAD = '''"""Types of the API's requests and answers; ``python -m api.openapi`` writes them."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict

'''
_SIMPLE = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "null": "None"}


def typed_dicts(document: Schema) -> str:
    """A module with every schema of a description, by name."""
    schemas: Schema = document["components"]["schemas"]
    ordered = sorted(schemas, key=lambda name: (_is_alias(schemas[name]), name))
    code = _HEAD + "\n\n".join(_definition(name, schemas[name]) for name in ordered)
    return formatted(code, "schemas.py")


def _is_alias(schema: Schema) -> bool:
    """It is no type of its own, and is made of some that must stand above it."""
    return "properties" not in schema and "$ref" in json.dumps(schema)


def _definition(name: str, schema: Schema) -> str:
    properties = schema.get("properties")
    if properties is None and schema.get("type") != "object":
        return f"#: {_meaning(name, schema)}\n{name} = {_type(schema)}\n"
    fields = {
        field: _field(of, required=field in schema.get("required", ()))
        for field, of in (properties or {}).items()
    }
    if any(map(iskeyword, fields)):
        # A class cannot have a field called ``from``.
        return f"#: {_meaning(name, schema)}\n{name} = TypedDict({name!r}, {fields!r})\n"
    lines = [f"class {name}(TypedDict):", f'    """{_meaning(name, schema)}"""\n']
    return "\n".join([*lines, *(f"    {field}: {kind}" for field, kind in fields.items())]) + "\n"


def _meaning(name: str, schema: Schema) -> str:
    first = str(schema.get("description", f"{name}.")).split("\n")[0]
    return " ".join(first.split()).replace("\\", "\\\\").replace('"', "'")


def _field(schema: Schema, *, required: bool) -> str:
    return _type(schema) if required else f"NotRequired[{_type(schema)}]"


def _type(schema: Schema) -> str:
    """The type of a value; what a schema leaves open is ``Any``."""
    if "$ref" in schema:
        return _referred(schema)
    if choices := schema.get("anyOf", schema.get("oneOf")):
        return " | ".join(dict.fromkeys(map(_type, choices)))
    if values := schema.get("enum", [schema["const"]] if "const" in schema else []):
        return f"Literal[{', '.join(map(json.dumps, values))}]"
    match schema.get("type"):
        case "array":
            return f"list[{_type(schema.get('items', {}))}]"
        case "object":
            return f"dict[str, {_values(schema)}]"
        case kind:
            return _SIMPLE.get(str(kind), "Any")


def _values(schema: Schema) -> str:
    values = [schema.get("additionalProperties"), *schema.get("patternProperties", {}).values()]
    kinds = [_type(each) for each in values if isinstance(each, Mapping)]
    return " | ".join(dict.fromkeys(kinds)) or "Any"


def _referred(schema: Schema) -> str:
    return str(schema["$ref"]).rsplit("/", 1)[1]
