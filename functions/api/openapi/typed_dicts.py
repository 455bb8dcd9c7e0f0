"""The description's schemas as Python types, for the client and those who use it.

A ``TypedDict`` costs nothing when a program runs: an answer stays the JSON that it is, and one with
fields of a later stage is still read.
"""

import json
import re
from collections import defaultdict
from collections.abc import Mapping
from keyword import iskeyword
from pathlib import Path
from typing import Any

from api.openapi.formatting import formatted

Schema = Mapping[str, Any]

_HEAD = '''"""Types of the API's requests and answers; ``python -m api.openapi`` writes them."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict

'''
_SIMPLE = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "null": "None"}


#: Fewer fields than these make no parent of a type that has them too.
_FIELDS_OF_A_PARENT = 4
#: Fewer kinds than these are written out wherever a field takes them.
_KINDS_OF_A_UNION = 3

#: The type of each field, by the name of its schema.
Fields = Mapping[str, Mapping[str, str]]


def typed_dicts(document: Schema, calls: Path) -> str:
    """Write a module with the schemas that answers and ``calls`` take, parents above children."""
    schemas = _taken(document, calls)
    unions = _unions(schemas)
    fields = {name: _fields(each, unions) for name, each in schemas.items() if _is_class(each)}
    parents = {name: _parent(name, fields) for name in fields}
    ordered = sorted(
        schemas, key=lambda name: (_is_alias(schemas[name]), _generation(name, parents), name)
    )
    made = [
        _class(name, schemas[name], fields, parents[name])
        if name in fields
        else _alias(name, schemas[name], unions)
        for name in ordered
    ]
    made += [f"#: One of several kinds.\n{name} = {union}\n" for union, name in unions.items()]
    return formatted(_HEAD + "\n\n".join(made), "schemas.py")


def _taken(document: Schema, calls: Path) -> Schema:
    """Leave out bodies that calls take field by field, and the schemas that only those take."""
    schemas: Schema = document["components"]["schemas"]
    answers = [
        {name: of for name, of in operation.items() if name != "requestBody"}
        for path in document["paths"].values()
        for operation in path.values()
    ]
    named = {word for each in calls.glob("*.py") for word in re.findall(r"\w+", each.read_text())}
    new = _references([answers, document["components"]["responses"]]) | named & schemas.keys()
    taken: set[str] = set()
    while new := new - taken:
        taken |= new
        new = _references([schemas[name] for name in new])
    return {name: of for name, of in schemas.items() if name in taken}


def _references(document: object) -> set[str]:
    return set(re.findall(r'"#/components/schemas/(\w+)"', json.dumps(document)))


def _is_alias(schema: Schema) -> bool:
    """It is no type of its own, and is made of some that must stand above it."""
    return "properties" not in schema and "$ref" in json.dumps(schema)


def _is_class(schema: Schema) -> bool:
    """It has fields, and none that Python keeps the name of for itself: ``from``."""
    return schema.get("type") == "object" and not any(map(iskeyword, schema.get("properties", ())))


def _fields(schema: Schema, unions: Mapping[str, str]) -> dict[str, str]:
    required = schema.get("required", ())
    kinds = {field: _type(of, unions) for field, of in schema.get("properties", {}).items()}
    return {f: kind if f in required else f"NotRequired[{kind}]" for f, kind in kinds.items()}


def _parent(name: str, fields: Fields) -> str | None:
    """The type with most of its fields, and none that it has not, or has otherwise."""
    own = fields[name].items()
    parents = [
        (len(theirs), other)
        for other, theirs in fields.items()
        if _FIELDS_OF_A_PARENT <= len(theirs) < len(own) and theirs.items() <= own
    ]
    return max(parents, default=(0, None))[1]


def _generation(name: str, parents: Mapping[str, str | None]) -> int:
    parent = parents.get(name)
    return 0 if parent is None else 1 + _generation(parent, parents)


def _unions(schemas: Schema) -> dict[str, str]:
    """Names of unions that several fields take, each after the field that it stands at first."""
    takers: dict[str, list[str]] = defaultdict(list)
    for schema in schemas.values():
        for field, of in schema.get("properties", {}).items():
            for each in (of, of.get("items", {}), *of.get("anyOf", ())):
                if len(kinds := _choices(each)) >= _KINDS_OF_A_UNION and "$ref" in kinds[0]:
                    takers[_type(each, {})].append(field)
    return {
        union: f"Any{''.join(part.title() for part in names[0].removesuffix('s').split('_'))}"
        + ("Input" if "Input " in union else "")
        for union, names in takers.items()
        if len(names) > 1
    }


def _choices(schema: Schema) -> list[Schema]:
    choices: list[Schema] = schema.get("anyOf", schema.get("oneOf", []))
    return choices


def _class(name: str, schema: Schema, fields: Fields, parent: str | None) -> str:
    of_parent = fields[parent] if parent is not None else {}
    lines = [f"class {name}({parent or 'TypedDict'}):", f'    """{_meaning(name, schema)}"""\n']
    lines += [f"    {f}: {kind}" for f, kind in fields[name].items() if f not in of_parent]
    return "\n".join(lines) + "\n"


def _alias(name: str, schema: Schema, unions: Mapping[str, str]) -> str:
    """A type that is no class; no class can have a field called ``from``."""
    type_ = _type(schema, unions)
    if "properties" in schema:
        type_ = f"TypedDict({name!r}, {_fields(schema, unions)!r})"
    return f"#: {_meaning(name, schema)}\n{name} = {type_}\n"


def _meaning(name: str, schema: Schema) -> str:
    first = str(schema.get("description", f"{name}.")).split("\n")[0]
    return " ".join(first.split()).replace("\\", "\\\\").replace('"', "'")


def _type(schema: Schema, unions: Mapping[str, str]) -> str:
    """The type of a value, with the names of ``unions``; what a schema leaves open is ``Any``."""
    if "$ref" in schema:
        return _referred(schema)
    if choices := _choices(schema):
        union = " | ".join(dict.fromkeys(_type(each, unions) for each in choices))
        return unions.get(union, union)
    if values := schema.get("enum", [schema["const"]] if "const" in schema else []):
        return f"Literal[{', '.join(map(json.dumps, values))}]"
    match schema.get("type"):
        case "array":
            return f"list[{_type(schema.get('items', {}), unions)}]"
        case "object":
            return f"dict[str, {_values(schema, unions)}]"
        case kind:
            return _SIMPLE.get(str(kind), "Any")


def _values(schema: Schema, unions: Mapping[str, str]) -> str:
    values = [schema.get("additionalProperties"), *schema.get("patternProperties", {}).values()]
    kinds = [_type(each, unions) for each in values if isinstance(each, Mapping)]
    return " | ".join(dict.fromkeys(kinds)) or "Any"


def _referred(schema: Schema) -> str:
    return str(schema["$ref"]).rsplit("/", 1)[1]
