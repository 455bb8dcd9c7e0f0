"""mypy passes over services of the CDK, but over none that a module names."""

import ast
import tomllib
from collections.abc import Iterator
from pathlib import Path

from tests.architecture.sources import ROOT, name_of, nodes_of

TOOL = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["mypy"]


def followed() -> set[str]:
    """Name the modules of the CDK whose types mypy reads, beside what all of them build on."""
    (skipped,) = (each for each in TOOL["overrides"] if each["follow_imports"] == "skip")
    (read,) = (each for each in TOOL["overrides"] if each["follow_imports"] == "silent")
    assert skipped["module"] == "aws_cdk.*"
    return {name for name in read["module"] if "*" not in name}


def checked() -> Iterator[Path]:
    """List the modules that mypy checks."""
    for name in TOOL["files"]:
        place = ROOT / name
        yield from [place] if place.is_file() else place.rglob("*.py")


def services(path: Path) -> Iterator[str]:
    """Name the modules of the CDK that a module imports."""
    for node in nodes_of(path):
        match node:
            case ast.ImportFrom(module="aws_cdk"):
                own = (each.name for each in node.names if each.name.islower())
                yield from (f"aws_cdk.{name}" for name in own)
            case ast.ImportFrom(module=str(name)) if name.startswith("aws_cdk."):
                yield name
            case ast.Import():
                yield from (each.name for each in node.names if each.name.startswith("aws_cdk"))


def test_types_of_each_service_that_a_module_names_are_read() -> None:
    """Another service would be ``Any`` to mypy, which would find no wrong argument of it."""
    named = {service: name_of(path) for path in checked() for service in services(path)}

    assert {service: at for service, at in named.items() if service not in followed()} == {}
    assert followed() - set(named) == {"aws_cdk", "aws_cdk.cx_api"}
