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
from tempfile import mkdtemp
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

CHECKOUT = Path(__file__).resolve().parent.parent
#: Packages of ``infra`` that are tools of a checkout.
LEFT_OUT = frozenset({"admin", "local", "pages", "preflight"})
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
        """Pack everything into a folder of its own, which becomes the package."""
        sys.path[:0] = [str(CHECKOUT), str(CHECKOUT / "layers" / "core" / "python")]
        (CHECKOUT / "build").mkdir(exist_ok=True)
        self._packed = packed = Path(mkdtemp(dir=CHECKOUT / "build", prefix="timegate_cdk-"))
        _pack_modules(packed)
        _pack_code(packed / "shipped")
        _pack_assets(packed / "shipped")
        build_data["force_include"][str(packed)] = "timegate_cdk"
        build_data["pure_python"] = True

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:  # noqa: ARG002 - theirs
        """Remove the folder."""
        shutil.rmtree(self._packed)


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
    """Copy what the construct imports: as much of ``timegate`` as the core layer has."""
    # Imported here: it is a module of the checkout.
    from infra.assets.own_code import CORE_LAYER  # noqa: PLC0415

    names = [source.relative_to(CHECKOUT) for source in CORE_LAYER.sources()]
    for name in (*names, *map(Path, SHIPPED_FILES)):
        (into / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(CHECKOUT / name, into / name)
    if (CHECKOUT / CONSOLE).is_dir():
        shutil.copytree(CHECKOUT / CONSOLE, into / CONSOLE)


def _pack_assets(into: Path) -> None:
    """Zip what Lambda gets under its hash, with bytecode: the vendor layer and our own code."""
    # Imported here: they are modules of the checkout.
    from infra.assets.own_code import CORE_LAYER, FUNCTIONS, build_code  # noqa: PLC0415
    from infra.assets.vendor import build_vendor  # noqa: PLC0415
    from infra.stage.settings import LAMBDA_PLATFORM  # noqa: PLC0415

    _zip(build_vendor(LAMBDA_PLATFORM), into / "vendor")
    for code in (CORE_LAYER, FUNCTIONS):
        _zip(build_code(code, LAMBDA_PLATFORM), into / "code" / code.folder.name)


def _zip(built: Path, into: Path) -> None:
    into.mkdir(parents=True)
    with zipfile.ZipFile(into / f"{built.name}.zip", "w") as archive:
        for file in sorted(path for path in built.rglob("*") if path.is_file()):
            entry = zipfile.ZipInfo(str(file.relative_to(built)), _LONG_AGO)
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, file.read_bytes(), zipfile.ZIP_DEFLATED)
