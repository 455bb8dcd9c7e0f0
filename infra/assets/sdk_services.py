"""Reads off the code which AWS services the functions call: the SDK's other models stay behind."""

import ast
from collections.abc import Iterator
from functools import cache
from typing import TypeGuard

from infra.assets.shipped import CORE, ROOT

_PACKAGE = CORE / "timegate"
#: Modules of ours that a function can import.
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
    """Name the services that one module makes clients of.

    A function that passes its parameter on makes none of its own: its callers name the service.
    """
    tree = ast.parse(text)
    passed_on = {id(call) for maker in ast.walk(tree) for call in _passing_on(maker)}
    for call in ast.walk(tree):
        if not _makes_client(call) or id(call) in passed_on:
            continue
        named = call.args[0] if call.args else None
        if not isinstance(named, ast.Constant) or not isinstance(named.value, str):
            raise UnknownService(
                f"{place}:{call.lineno} makes a client whose service is no literal:"
                " name the service there, so that the vendor layer carries its model."
            )
        yield named.value


def _makes_client(node: ast.AST) -> TypeGuard[ast.Call]:
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in _MAKERS
    )


def _passing_on(node: ast.AST) -> Iterator[ast.Call]:
    """List the calls in a function whose service is its own parameter."""
    if not isinstance(node, ast.FunctionDef):
        return
    own = {each.arg for each in (*node.args.posonlyargs, *node.args.args)}
    for call in ast.walk(node):
        if _makes_client(call) and call.args:
            first = call.args[0]
            if isinstance(first, ast.Name) and first.id in own:
                yield call
