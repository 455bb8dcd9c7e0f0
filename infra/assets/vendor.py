"""Builds the vendor layer's directory with uv: no Docker, and no network once it is cached.

``python -m infra.assets.vendor`` writes the list of packages anew from ``uv.lock``.
"""

import hashlib
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from infra.assets.bytecode import UV, flavour, publish, write_bytecode
from infra.assets.sdk_services import sdk_services
from infra.assets.shipped import IS_PACKED, PACKED_VENDOR, ROOT
from infra.stage.settings import LAMBDA_PLATFORM, VendorPlatform

REQUIREMENTS = ROOT / "layers" / "vendor" / "requirements.txt"
CACHE = ROOT / "build" / "vendor"
_EXPORT = "--frozen --offline --only-group server --no-annotate --no-header"


def locked_list() -> str:
    """The runtime part of ``uv.lock``: every package with its version and the hashes of its files.

    The hashes make an index or a mirror unable to give other bytes than those that were tested.
    """
    command = [*UV, "export", "--quiet", *_EXPORT.split()]
    done = subprocess.run(  # noqa: S603 - our own uv
        command, cwd=ROOT, capture_output=True, text=True, check=True
    )
    return done.stdout


class NotPacked(ValueError):
    """The package carries the layer for Lambda alone."""


def vendor_hash(target: VendorPlatform) -> str:
    """Changes exactly when the layer's content would."""
    platform = target.platform or sys.platform
    services = " ".join(sorted(sdk_services()))
    identity = f"{platform}\n{flavour(target)}\n{services}\n{REQUIREMENTS.read_text()}"
    return hashlib.sha256(identity.encode()).hexdigest()[:16]


def build_vendor(target: VendorPlatform) -> Path:
    """The directory, or archive, to ship as a layer: ``python/`` with every pinned package."""
    if IS_PACKED:
        return _packed(target)
    built = CACHE / vendor_hash(target)
    if not built.exists():
        CACHE.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=CACHE) as scratch:
            python = Path(scratch) / "python"
            _install(target, python)
            _prune(python)
            write_bytecode(target, Path(scratch), what="vendor layer is", mounted="/opt")
            publish(Path(scratch), built)
    return built


def _packed(target: VendorPlatform) -> Path:
    if target != LAMBDA_PLATFORM:
        raise NotPacked("stage: the local cloud's stages are deployed from a checkout of Timegate")
    (archive,) = PACKED_VENDOR.glob("*.zip")
    return archive


def _install(target: VendorPlatform, into: Path) -> None:
    command = [*UV, "pip", "install", "--quiet", "--target", str(into)]
    # uv refuses a package that the list lacks, and a file whose hash the list lacks.
    command += ["--require-hashes", "--only-binary", ":all:", "--requirement", str(REQUIREMENTS)]
    if target.platform and target.python:
        command += ["--python-platform", target.platform, "--python-version", target.python]
    else:
        command += ["--python", sys.executable]
    subprocess.run(command, check=True)  # noqa: S603 - see the import


def _prune(python: Path) -> None:
    """Remove what no function reads: scripts, tests, and the SDK's models of other services."""
    models = (each for each in (python / "botocore" / "data").glob("*") if each.is_dir())
    for useless in (
        python / "bin",
        *python.glob("*/tests"),
        # Parts of `boto3.resource`, which no function uses.
        python / "boto3" / "data",
        python / "boto3" / "examples",
        *(each for each in models if each.name not in sdk_services()),
    ):
        shutil.rmtree(useless, ignore_errors=True)
    (python / ".lock").unlink(missing_ok=True)


if __name__ == "__main__":
    REQUIREMENTS.write_text(locked_list())
