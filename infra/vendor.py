"""Builds the vendor layer's directory with uv: no Docker, and no network once it is cached."""

import hashlib
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from infra.settings import VendorPlatform

ROOT = Path(__file__).resolve().parent.parent
REQUIREMENTS = ROOT / "layers" / "vendor" / "requirements.txt"
CACHE = ROOT / "build" / "vendor"


def vendor_hash(target: VendorPlatform) -> str:
    """Changes exactly when the layer's content would."""
    python = target.python or f"{sys.version_info.major}.{sys.version_info.minor}"
    identity = f"{target.platform or sys.platform}\n{python}\n{REQUIREMENTS.read_text()}"
    return hashlib.sha256(identity.encode()).hexdigest()[:16]


def build_vendor(target: VendorPlatform) -> Path:
    """The directory to ship as a layer: ``python/`` with every pinned package."""
    built = CACHE / vendor_hash(target)
    if not built.exists():
        CACHE.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=CACHE) as scratch:
            _install(target, Path(scratch) / "python")
            _publish(Path(scratch), built)
    return built


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
    command = [sys.executable, "-m", "uv", "pip", "install", "--quiet", "--target", str(into)]
    # --no-deps: the list is complete, and leaves out what the Lambda runtime brings (boto3).
    command += ["--no-deps", "--only-binary", ":all:", "--requirement", str(REQUIREMENTS)]
    if target.platform and target.python:
        command += ["--python-platform", target.platform, "--python-version", target.python]
    else:
        command += ["--python", sys.executable]
    subprocess.run(command, check=True)  # noqa: S603 - see the import
    for useless in (into / "bin", *into.glob("*/tests")):
        shutil.rmtree(useless, ignore_errors=True)
