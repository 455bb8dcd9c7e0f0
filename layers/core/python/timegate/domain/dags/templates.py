"""Templates of inputs: JSON in which ``{"$ref": "<JMESPath>"}`` stands for what it finds.

``{"$ref": "<JMESPath>", "default": <JSON>}`` says what stands there where it finds nothing.
"""

from collections.abc import Iterator

Json = None | bool | int | float | str | list["Json"] | dict[str, "Json"]

#: Characters of a name that a problem is found under.
_MAX_PART = 100


def references(template: Json, field: str) -> Iterator[tuple[str, str | None]]:
    """Yield the field and expression of each reference; ``None``: the reference is malformed.

    ``field``: where the template stands.
    """
    match template:
        case {"$ref": str(expression), **beside} if beside.keys() <= {"default"}:
            yield field, expression
        case {"$ref": _}:
            yield field, None
        case dict():
            for name, inner in template.items():
                yield from references(inner, f"{field}.{name[:_MAX_PART]}")
        case list():
            for number, inner in enumerate(template):
                yield from references(inner, f"{field}.{number}")
        case _:
            return
