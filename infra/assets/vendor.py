"""Builds the vendor layer's directory with uv: no Docker, and no network once it is cached.

``python -m infra.assets.vendor`` writes the list of packages anew from ``uv.lock``.
"""

import hashlib
import shutil
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path

from infra.assets.sdk_services import sdk_services
from infra.assets.shipped import IS_PACKED, PACKED_VENDOR, ROOT
from infra.stage.settings import LAMBDA_PLATFORM, VendorPlatform

REQUIREMENTS = ROOT / "layers" / "vendor" / "requirements.txt"
CACHE = ROOT / "build" / "vendor"
_UV = (sys.executable, "-m", "uv")
_EXPORT = "--frozen --offline --only-group server --no-annotate --no-header"


def locked_list() -> str:
    """The runtime part of ``uv.lock``: every package with its version and the hashes of its files.

    The hashes make an index or a mirror unable to give other bytes than those that were tested.
    """
    command = [*_UV, "export", "--quiet", *_EXPORT.split()]
    done = subprocess.run(  # noqa: S603 - our own uv
        command, cwd=ROOT, capture_output=True, text=True, check=True
    )
    return done.stdout


class NotPacked(ValueError):
    """The package carries the layer for Lambda alone."""


def vendor_hash(target: VendorPlatform) -> str:
    """Changes exactly when the layer's content would."""
    if IS_PACKED:
        return _packed(target).stem
    python = target.python or f"{sys.version_info.major}.{sys.version_info.minor}"
    platform = target.platform or sys.platform
    services = " ".join(sorted(sdk_services()))
    compiled = "compiled" if interpreter(target) else "sources alone"
    identity = f"{platform}\n{python}\n{compiled}\n{services}\n{REQUIREMENTS.read_text()}"
    return hashlib.sha256(identity.encode()).hexdigest()[:16]


@cache
def interpreter(target: VendorPlatform) -> str | None:
    """The interpreter on this machine that writes bytecode for the target, if there is one.

    A function cannot keep bytecode between cold starts: its layers are read-only. Without bytecode
    each cold start compiles what it imports (docs/decisions/0054).
    """
    if target.python is None:
        return sys.executable
    command = [*_UV, "python", "find", "--no-project", target.python]
    done = subprocess.run(  # noqa: S603 - our own uv
        command, capture_output=True, text=True, check=False
    )
    return done.stdout.strip() or None


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
            _compile(target, python)
            _publish(Path(scratch), built)
    return built


def _packed(target: VendorPlatform) -> Path:
    if target != LAMBDA_PLATFORM:
        raise NotPacked("stage: the local cloud's stages are deployed from a checkout of Timegate")
    (archive,) = PACKED_VENDOR.glob("*.zip")
    return archive


def _publish(finished: Path, built: Path) -> None:
    """Move a whole directory into place, so that no other synth ever sees half of it."""
    staged = finished.with_suffix(".done")
    shutil.copytree(finished, staged)
    try:
        staged.rename(built)
    except OSError:
        shutil.rmtree(staged)
        if not built.exists():
            raise


def _install(target: VendorPlatform, into: Path) -> None:
    command = [*_UV, "pip", "install", "--quiet", "--target", str(into)]
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


def _compile(target: VendorPlatform, python: Path) -> None:
    """Write bytecode beside every source, valid whatever time stamps an unpacked layer has."""
    compiler = interpreter(target)
    if compiler is None:
        sys.stderr.write(
            f"The vendor layer is built without bytecode, as Python {target.python} is not found:"
            f" run `uv python install {target.python}` to shorten cold starts.\n"
        )
        return
    command = [compiler, "-I", "-m", "compileall", "-q", "--invalidation-mode", "unchecked-hash"]
    # The bytecode names the file as Lambda finds it: the same bytes wherever it is built.
    command += ["-s", str(python.parent), "-p", "/opt", str(python)]
    subprocess.run(command, check=True)  # noqa: S603 - see above


if __name__ == "__main__":
    REQUIREMENTS.write_text(locked_list())
