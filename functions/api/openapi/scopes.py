"""The scope that each operation takes, for clients whose gateway refuses without a word."""

from collections.abc import Mapping
from typing import Any

from api.openapi.formatting import formatted

_HEAD = '"""Scopes of operations by method and path; ``python -m api.openapi`` writes them."""\n\n'


def scopes(document: Mapping[str, Any]) -> str:
    """The module with each operation's scope."""
    found = {
        f"{method.upper()} {path}": next(iter(security.values()))[0]
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
        for security in operation.get("security", ())
        if security and next(iter(security.values()))
    }
    return formatted(f"{_HEAD}SCOPES = {found!r}\n", "scopes.py")
