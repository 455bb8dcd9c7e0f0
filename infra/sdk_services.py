"""Reads off the code which AWS services the functions call: the SDK's other models stay behind."""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
_PACKAGE = ROOT / "layers" / "core" / "python" / "timegate"
#: Whatever a function can import of ours.
SHIPPED = (
    *(_PACKAGE / name for name in ("domain", "usecases", "ports", "adapters", "runtime")),
    ROOT / "functions",
)
_MAKERS = ("client", "create_client")


class UnknownService(ValueError):
    """A client is made for a service that the code does not spell out where it makes it."""


@cache
def sdk_services() -> frozenset[str]:
    """Every service that shipped code makes a client of; raises ``UnknownService``."""
    files = sorted(path for folder in SHIPPED for path in folder.rglob("*.py"))
    texts = ((path, path.read_text()) for path in files)
    return frozenset(
        service
        for path, text in texts
        if any(f".{maker}(" in text for maker in _MAKERS)
        for service in services_of(text, str(path.relative_to(ROOT)))
    )


def services_of(text: str, place: str) -> Iterator[str]:
    """The services that one module makes clients of."""
    for call in ast.walk(ast.parse(text)):
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute):
            continue
        if call.func.attr not in _MAKERS:
            continue
        named = call.args[0] if call.args else None
        if not isinstance(named, ast.Constant) or not isinstance(named.value, str):
            raise UnknownService(
                f"{place}:{call.lineno} makes a client whose service is no literal:"
                " name the service there, so that the vendor layer carries its model."
            )
        yield named.value
