"""Names that an object of a contract may have, for a caller who wrote another one."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from typing import Any

from pydantic import TypeAdapter

#: A list of names that is longer says less than the page of the API.
_MAX_LISTED = 240
#: A name that is longer is like none: comparing takes time by its length.
_MAX_NAME = 100

Schema = Mapping[str, Any]


def hint(model: Any, location: Sequence[int | str]) -> str:  # noqa: ANN401 - any type
    """Say which field may be meant by the last name of a location; empty if nothing helps.

    A field of the union's other alternatives is said to be theirs.
    ``location``: the path of an error of Pydantic, which has the tags of unions in it.
    """
    *places, name = location
    schema = TypeAdapter(model).core_schema
    if others := _other_alternatives(schema, places, name):
        return others
    known = sorted({*_names_of(_schemas_at(schema, places))})
    alike = get_close_matches(str(name)[:_MAX_NAME].lower(), known, n=1)
    if alike:
        return f"Did you mean {alike[0]}?"
    listed = ", ".join(known)
    return f"There are: {listed}." if 0 < len(listed) <= _MAX_LISTED else ""


def _other_alternatives(root: Any, places: Sequence[int | str], name: int | str) -> str:  # noqa: ANN401 - Pydantic's own
    """Name the alternatives of a union that have a field, which the chosen one has not."""
    unions = [each for each in _schemas_at(root, places[:-1]) if each["type"] == "tagged-union"]
    for union in unions if places else ():
        by = union["discriminator"]
        tags = [
            str(tag)
            for tag, choice in union["choices"].items()
            if name in {*_names_of(_bare(choice, _definitions(root)))}
        ]
        if tags and isinstance(by, str):
            listed = ", ".join(sorted(tags))
            other = f"another {by}" if len(tags) == 1 else f"other {by}s"
            return f"It belongs to {other}: {listed}."
    return ""


def _schemas_at(root: Any, places: Iterable[int | str]) -> list[Schema]:  # noqa: ANN401 - Pydantic's own
    definitions = _definitions(root)
    found = [*_bare(root, definitions)]
    for place in places:
        found = [
            leaf
            for schema in found
            for inner in _inside(schema, place)
            for leaf in _bare(inner, definitions)
        ]
    return found


def _names_of(schemas: Iterable[Schema]) -> Iterator[str]:
    for schema in schemas:
        if schema["type"] == "model-fields":
            yield from _by_name(schema)


def _definitions(root: Any) -> dict[str, Schema]:  # noqa: ANN401 - Pydantic's own
    return {each["ref"]: each for each in root.get("definitions", ())}


def _inside(schema: Schema, place: int | str) -> Iterator[Schema]:
    """Yield the schemas behind a part of a path."""
    match schema["type"]:
        case "model-fields":
            yield from (each["schema"] for name, each in _by_name(schema).items() if name == place)
        case "list":
            yield schema["items_schema"]
        case "dict":
            yield schema["values_schema"]
        case "tagged-union":
            yield from (each for tag, each in schema["choices"].items() if tag == place)
        case "union":
            # The part names an alternative in words of Pydantic: it may be any.
            yield from (each[0] if isinstance(each, tuple) else each for each in schema["choices"])


def _bare(schema: Schema, definitions: Mapping[str, Schema]) -> Iterator[Schema]:
    """Yield what a schema checks, without the defaults and functions around it."""
    if schema["type"] == "definition-ref":
        yield from _bare(definitions[schema["schema_ref"]], definitions)
    elif (inner := schema.get("schema") or schema.get("json_schema")) is not None:
        yield from _bare(inner, definitions)
    else:
        yield schema


def _by_name(schema: Schema) -> dict[str, Schema]:
    fields = schema["fields"].items()
    return {str(each.get("validation_alias", name)): each for name, each in fields}
