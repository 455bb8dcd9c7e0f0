"""Every regular expression of the product, as it is compiled when its module is imported.

``python -m tests.support.values.pattern_census`` imports every module and prints one JSON
object for each pattern. It runs in a process of its own, in which no module is imported yet.
"""

import ast
import contextlib
import importlib
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from unittest.mock import patch

from tests.architecture.sources import nodes_of

ROOT = Path(__file__).resolve().parents[3]
SOURCES = {
    ROOT / "layers" / "core" / "python": ROOT / "layers" / "core" / "python" / "timegate",
    ROOT / "functions": ROOT / "functions",
}
#: Functions of ``re`` that take a pattern.
_USES = frozenset(
    {"compile", "findall", "finditer", "fullmatch", "match", "search", "split", "sub", "subn"}
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Site:
    """A call of ``re`` in the source."""

    file: str
    line: int
    use: str
    #: The compiled pattern is assigned to this name.
    name: str | None
    #: The pattern, where the source has it as a constant.
    pattern: str | None

    @property
    def place(self) -> str:
        """Return the place in the form of the list of exceptions."""
        return f"{self.file}:{self.name or self.use}"


@dataclass(frozen=True, kw_only=True, slots=True)
class Found:
    """A pattern that was compiled at a site."""

    site: Site
    pattern: str
    flags: int
    #: It reads text, and not bytes.
    of_text: bool


def modules() -> Iterator[Path]:
    """Every module of the layers and functions."""
    for folder in SOURCES.values():
        yield from sorted(folder.rglob("*.py"))


@cache
def sites() -> list[Site]:
    """Every call of ``re`` in the source, wherever it stands."""
    return [site for path in modules() for site in _sites_of(path)]


def _sites_of(path: Path) -> Iterator[Site]:
    names = {
        id(node.value): node.targets[0].id
        for node in nodes_of(path)
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)
    }
    for node in nodes_of(path):
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Name(id="re"), attr=use)) if use in _USES:
                text = node.args[0]
                yield Site(
                    file=str(path.relative_to(ROOT)),
                    line=node.lineno,
                    use=use,
                    name=names.get(id(node)),
                    pattern=text.value
                    if isinstance(text, ast.Constant) and isinstance(text.value, str)
                    else None,
                )


@cache
def methods_called() -> dict[str, set[str]]:
    """The methods of patterns that the source calls on each name: ``_URL.fullmatch``."""
    called: dict[str, set[str]] = {}
    for path in modules():
        for node in nodes_of(path):
            match node:
                case ast.Attribute(value=ast.Name(id=name), attr=method) if method in _USES:
                    called.setdefault(name, set()).add(method)
    return called


def imports_from_re() -> list[str]:
    """Modules that the census would not see through: ``from re import compile``."""
    return [
        str(path.relative_to(ROOT))
        for path in modules()
        for node in nodes_of(path)
        if isinstance(node, ast.ImportFrom) and node.module in {"re", "regex"}
    ]


@cache
def compiled() -> list[Found]:
    """Return the patterns that each site compiled when its module was imported."""
    # The process below imports nothing of the product before it listens.
    from tests.support.api import VARIABLES  # noqa: PLC0415

    paths = os.pathsep.join([str(ROOT), *map(str, SOURCES)])
    done = subprocess.run(
        [sys.executable, "-m", __name__],
        cwd=ROOT,
        env={**os.environ, **VARIABLES, "PYTHONPATH": paths},
        capture_output=True,
        text=True,
        check=True,
    )
    by_place = {(site.file, site.line): site for site in sites() if site.use == "compile"}
    return [
        Found(site=by_place[said.pop("file"), said.pop("line")], **said)
        for said in map(json.loads, done.stdout.splitlines())
    ]


def _tell() -> None:
    told: set[str] = set()
    compile_ = re.compile

    def record(pattern: str | re.Pattern[str], flags: int = 0) -> re.Pattern[str]:
        caller = sys._getframe(1)
        made = compile_(pattern, flags)
        path = Path(caller.f_code.co_filename)
        if any(path.is_relative_to(folder) for folder in SOURCES.values()):
            place = {"file": str(path.relative_to(ROOT)), "line": caller.f_lineno}
            text: str | bytes = made.pattern
            of_text = isinstance(text, str)
            text = text.decode() if isinstance(text, bytes) else text
            said = {**place, "pattern": text, "flags": made.flags, "of_text": of_text}
            told.add(json.dumps(said))
        return made

    with patch("re.compile", record), contextlib.redirect_stdout(sys.stderr):
        for root, folder in SOURCES.items():
            for path in sorted(folder.rglob("*.py")):
                parts = path.relative_to(root).with_suffix("").parts
                if parts[-1] not in {"__main__", "handler"}:
                    importlib.import_module(".".join(parts).removesuffix(".__init__"))
        # A form of credentials is compiled with the first text that has a hint of it.
        rules = importlib.import_module("timegate.domain.values.credential_rules")
        for rule in rules.HIDDEN:
            rules.compiled(rule.form)
        # Handlers register routes when they are imported; their paths become patterns.
        routes = importlib.import_module("api.http.table").ROUTES
        importlib.import_module("api.app").register(routes)
    sys.stdout.write("\n".join(sorted(told)))


if __name__ == "__main__":
    _tell()
