"""Operations that the API serves, by its own description: the gateway takes its routes from it."""

import json
from dataclasses import dataclass

from infra.assets.shipped import ROOT

_DESCRIPTION = ROOT / "docs" / "reference" / "openapi.json"


@dataclass(frozen=True, kw_only=True)
class ServedOperation:
    """One operation: where it is, what a token must allow, and which function serves it."""

    operation_id: str
    method: str
    #: Parameters as ``{name}``.
    path: str
    #: Without the stage's prefix: ``read``; ``None``: it asks for no token of the issuer's.
    scope: str | None
    #: ``api`` or ``workers``.
    function: str


def served_operations() -> tuple[ServedOperation, ...]:
    """Every operation of the description, which a test keeps equal to the code's routes."""
    paths = json.loads(_DESCRIPTION.read_text())["paths"]
    return tuple(
        ServedOperation(
            operation_id=operation["operationId"],
            method=method.upper(),
            path=path,
            scope=_scope(operation["security"]),
            function=operation["x-timegate-function"],
        )
        for path, methods in paths.items()
        for method, operation in methods.items()
    )


def _scope(security: list[dict[str, list[str]]]) -> str | None:
    return security[0]["token"][0].rpartition("/")[2] if security else None
