"""JSON that a request can carry, with each field once."""

import json
from typing import Any

from timegate.domain.values.errors import InvalidInput


def read_json(text: str) -> Any:  # noqa: ANN401 - any JSON
    """Read JSON that a request can carry, with each field once.

    Raises ``InvalidInput`` for a field that is there twice, otherwise ``ValueError`` or
    ``RecursionError``.
    """
    value = json.loads(text, object_pairs_hook=_once)
    check_portable(value)
    return value


def check_portable(value: object) -> None:
    """Raise ``ValueError`` or ``RecursionError`` for a value that no request can carry.

    Such are NaN, half a surrogate pair and endless nesting; and ``TypeError`` for no JSON.
    """
    json.dumps(value, ensure_ascii=False, allow_nan=False).encode()


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise InvalidInput(twice, "there_twice", "It is written again in the same object.")
    return fields
