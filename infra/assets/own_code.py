"""Our own code as functions get it: the sources of a checkout, and their bytecode."""

import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from infra.assets.bytecode import flavour, publish, write_bytecode
from infra.assets.shipped import IS_PACKED, PACKED_CODE, ROOT
from infra.stage.settings import VendorPlatform

CACHE = ROOT / "build" / "code"
#: Builds that are kept: those of the stages and branches that one works on.
MOST_KEPT = 8
_DIGITS = 16


@dataclass(frozen=True, kw_only=True)
class OwnCode:
    """A folder of sources, and how it is deployed."""

    #: Subject and verb of messages.
    what: str
    folder: Path
    #: Where Lambda unpacks it.
    mounted: str
    #: Packages that run on people's machines only.
    left_out: tuple[str, ...] = ()

    def sources(self) -> Iterator[Path]:
        """Yield the files to deploy, in an order that is the same everywhere."""
        skipped = [self.folder / each for each in self.left_out]
        for path in sorted(self.folder.rglob("*")):
            is_ours = path.is_file() and "__pycache__" not in path.parts
            if is_ours and not any(path.is_relative_to(each) for each in skipped):
                yield path


#: The parts of the package that run on people's machines, and no function needs.
PROGRAMS = ("cli", "client", "declaring", "pytest_plugin.py", "testing", "worker")
CORE_LAYER = OwnCode(
    what="core layer is",
    folder=ROOT / "layers" / "core",
    mounted="/opt",
    left_out=tuple(f"python/timegate/{name}" for name in PROGRAMS),
)
FUNCTIONS = OwnCode(what="functions are", folder=ROOT / "functions", mounted="/var/task")


def code_hash(code: OwnCode, target: VendorPlatform) -> str:
    """Changes exactly when the sources do, or the Python that compiles them."""
    digest = sha256(flavour(target).encode())
    for path in code.sources():
        name, text = str(path.relative_to(code.folder)), path.read_bytes()
        digest.update(f"\n{name}\n{len(text)}\n".encode() + text)
    return digest.hexdigest()[:_DIGITS]


def build_code(code: OwnCode, target: VendorPlatform) -> Path:
    """The directory to deploy, under its hash: each source and its bytecode, compiled once.

    The package has it as an archive: an installation is not written to.
    """
    if IS_PACKED:
        (archive,) = (PACKED_CODE / code.folder.name).glob("*.zip")
        return archive
    built = CACHE / code_hash(code, target)
    if built.exists():
        built.touch()
        return built
    CACHE.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=CACHE) as scratch:
        copied = Path(scratch) / "code"
        for source in code.sources():
            place = copied / source.relative_to(code.folder)
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, place)
        write_bytecode(target, copied, what=code.what, mounted=code.mounted)
        publish(copied, built)
    _forget_oldest()
    return built


def _forget_oldest() -> None:
    """Remove the builds that were not used for longest."""
    builds = [each for each in CACHE.iterdir() if len(each.name) == _DIGITS]
    newest = sorted(builds, key=lambda each: each.stat().st_mtime, reverse=True)
    for old in newest[MOST_KEPT:]:
        shutil.rmtree(old, ignore_errors=True)
