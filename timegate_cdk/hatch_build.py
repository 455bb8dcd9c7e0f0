"""Packs the construct: modules of ``infra`` under a name of the package's own, and what they ship.

An app may have a folder ``infra`` itself, which would hide ours; so modules are packed as
``timegate_cdk.…``, and their imports say so.
"""

import re
import shutil
import sys
import tomllib
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

CHECKOUT = Path(__file__).resolve().parent.parent
#: Packages of ``infra`` that are tools of a checkout.
LEFT_OUT = frozenset({"admin", "local", "pages", "preflight"})
#: Parts of ``timegate`` that no function imports; the layer leaves them out too.
NOT_SHIPPED = ("cli", "client", "worker", "__pycache__")
SHIPPED_FILES = ("cdk.json", "docs/reference/openapi.json")
CONSOLE = Path("console") / "dist"
_IMPORT = re.compile(r"^(\s*(?:from|import) )infra\b", re.MULTILINE)
#: The same archive whenever it is made.
_LONG_AGO = (1980, 1, 1, 0, 0, 0)


class SameVersion(MetadataHookInterface):
    """The version of the SDK, which the package needs at exactly that version."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Read it off the project around this one, and the CDK's with it."""
        project = tomllib.loads((CHECKOUT / "pyproject.toml").read_text())
        version = project["project"]["version"]
        (cdk,) = [
            each.partition("==")[2]
            for each in project["dependency-groups"]["infra"]
            if each.startswith("aws-cdk-lib==")
        ]
        # Rules of the domain that the SDK has, and needs for its command line alone.
        rules = [
            each
            for each in project["project"]["optional-dependencies"]["cli"]
            if each.startswith("croniter")
        ]
        metadata["version"] = version
        metadata["dependencies"] = [
            *(f"timegate=={version}", f"aws-cdk-lib>={cdk},<3", "constructs"),
            *rules,
        ]


class PackedStage(BuildHookInterface[Any]):
    """Fills the wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002 - theirs
        """Pack everything into a folder, which becomes the package."""
        packed = CHECKOUT / "build" / "timegate_cdk"
        shutil.rmtree(packed, ignore_errors=True)
        _pack_modules(packed)
        _pack_code(packed / "shipped")
        _pack_vendor(packed / "shipped" / "vendor")
        build_data["force_include"][str(packed)] = "timegate_cdk"
        build_data["pure_python"] = True


def _pack_modules(into: Path) -> None:
    own = CHECKOUT / "timegate_cdk" / "__init__.py"
    for source, name in ((own, Path("__init__.py")), *_modules()):
        target = into / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(_IMPORT.sub(r"\1timegate_cdk", source.read_text()))
    (into / "py.typed").touch()


def _modules() -> Iterator[tuple[Path, Path]]:
    infra = CHECKOUT / "infra"
    for source in sorted(infra.rglob("*.py")):
        name = source.relative_to(infra)
        if name.parts[0] not in {*LEFT_OUT, "__init__.py"}:
            yield source, name


def _pack_code(into: Path) -> None:
    caches = shutil.ignore_patterns("__pycache__")
    shutil.copytree(CHECKOUT / "functions", into / "functions", ignore=caches)
    core = Path("layers") / "core" / "python" / "timegate"
    shutil.copytree(CHECKOUT / core, into / core, ignore=_but_layers)
    for name in SHIPPED_FILES:
        (into / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(CHECKOUT / name, into / name)
    if (CHECKOUT / CONSOLE).is_dir():
        shutil.copytree(CHECKOUT / CONSOLE, into / CONSOLE)


def _but_layers(folder: str, names: list[str]) -> set[str]:
    """Leave out what the layer does, at the top of the package alone."""
    at_top = Path(folder).name == "timegate"
    return {name for name in names if name == "__pycache__" or (at_top and name in NOT_SHIPPED)}


def _pack_vendor(into: Path) -> None:
    """Zip the layer for Lambda under its hash, bytecode included."""
    sys.path[:0] = [str(CHECKOUT), str(CHECKOUT / "layers" / "core" / "python")]
    from infra.assets.vendor import build_vendor, vendor_hash  # noqa: PLC0415 - of the checkout
    from infra.stage.settings import LAMBDA_PLATFORM  # noqa: PLC0415 - likewise

    built = build_vendor(LAMBDA_PLATFORM)
    into.mkdir(parents=True)
    with zipfile.ZipFile(into / f"{vendor_hash(LAMBDA_PLATFORM)}.zip", "w") as archive:
        for file in sorted(path for path in built.rglob("*") if path.is_file()):
            entry = zipfile.ZipInfo(str(file.relative_to(built)), _LONG_AGO)
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, file.read_bytes(), zipfile.ZIP_DEFLATED)
