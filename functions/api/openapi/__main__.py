"""``python -m api.openapi [FILE]``: write the description to a file, or print it.

Beside ``docs/reference/openapi.json`` it writes the types that the client makes of the description,
the client's operations by resource, and their scopes.
"""

import json
import sys
from pathlib import Path

from api.openapi.document import document
from api.openapi.namespaces import groups, namespaces
from api.openapi.scopes import scopes
from api.openapi.typed_dicts import typed_dicts

#: From the root of the repository, whose ``docs`` the description is in.
CLIENT_TYPES = Path("layers/core/python/timegate/client/schemas.py")
CLIENT_NAMESPACES = CLIENT_TYPES.with_name("namespaces.py")
CLIENT_GROUPS = CLIENT_TYPES.with_name("groups.py")
CLIENT_SCOPES = CLIENT_TYPES.with_name("scopes.py")


def rendered() -> str:
    """The description as it is kept in ``docs/reference/openapi.json``."""
    return json.dumps(document(), indent=2, ensure_ascii=False) + "\n"


def write(path: Path) -> None:
    """Keep the description in a file, and the client's types if it is the repository's."""
    path.write_text(rendered(), encoding="utf-8")
    types = path.absolute().parents[2] / CLIENT_TYPES
    if types.parent.is_dir():
        calls = types.with_name("calls")
        types.write_text(typed_dicts(document(), calls), encoding="utf-8")
        types.with_name(CLIENT_GROUPS.name).write_text(groups(calls), encoding="utf-8")
        types.with_name(CLIENT_NAMESPACES.name).write_text(namespaces(calls), encoding="utf-8")
        taken = types.with_name(CLIENT_SCOPES.name)
        taken.write_text(scopes(document()), encoding="utf-8")


if __name__ == "__main__":
    if len(sys.argv) > 1:
        write(Path(sys.argv[1]))
    else:
        sys.stdout.write(rendered())
