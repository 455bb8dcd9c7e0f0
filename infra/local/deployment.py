"""Deploying to the local cloud: synthesise once per change, then the CDK CLI does the rest."""

import fcntl
import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from infra.local.cloud import ACCOUNT, LocalCloud

ROOT = Path(__file__).resolve().parents[2]
CDK = ROOT / "node_modules" / ".bin" / "cdk"
ASSEMBLY = ROOT / "build" / "cdk.out-local"
#: Sources that change the template or the code it ships.
_SOURCES = ("app.py", "cdk.json", "uv.lock", "infra", "functions", "layers")

Outputs = Mapping[str, str]


class DeploymentFailed(RuntimeError):
    """The CDK CLI ended with an error."""


def fingerprint() -> str:
    """Changes exactly when what would be deployed does."""
    # The vendor layer of the local stage has packages for this Python.
    digest = hashlib.sha256(repr(sys.version_info[:2]).encode())
    for path in sorted(_source_files()):
        digest.update(str(path.relative_to(ROOT)).encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()


def synthesise() -> Path:
    """The local stage's cloud assembly; synthesising takes half a minute, so only when needed."""
    stamp = ASSEMBLY.parent / "cdk.out-local.fingerprint"
    current = fingerprint()
    with _alone():
        if not (stamp.exists() and stamp.read_text() == current and ASSEMBLY.exists()):
            stamp.unlink(missing_ok=True)
            synthesise_into(ASSEMBLY)
            stamp.write_text(current)
    return ASSEMBLY


def synthesise_into(assembly: Path, **choices: str) -> Path:
    """The local stage with ``choices`` (``kmsKey="own"``), wherever the caller wants it."""
    chosen = [word for name, value in choices.items() for word in ("-c", f"{name}={value}")]
    _cdk(["synth", "--quiet", "-c", "stage=local", *chosen, "--output", str(assembly)], {})
    return assembly


def deploy(cloud: LocalCloud) -> Outputs:
    """Bootstrap and deploy; what is deployed already is left alone. Returns the outputs."""
    assembly = synthesise()
    home = Path(cloud.home)
    outputs = home / "outputs.json"
    stamp = home / "deployed"
    identity = f"{cloud.pid} {fingerprint()}"
    if not (stamp.exists() and stamp.read_text() == identity):
        stamp.unlink(missing_ok=True)
        deploy_assembly(cloud, assembly, outputs)
        stamp.write_text(identity)
    return _flatten(json.loads(outputs.read_text()))


def deploy_assembly(cloud: LocalCloud, assembly: Path, outputs: Path) -> Outputs:
    """Bootstrap, and deploy what was synthesised over what is there."""
    _cdk(["bootstrap", f"aws://{ACCOUNT}/{cloud.region}"], cloud.environment, assembly)
    deployed = ["--require-approval", "never", "--outputs-file", str(outputs)]
    _cdk(["deploy", "--all", "--concurrency", "4", *deployed], cloud.environment, assembly)
    return _flatten(json.loads(outputs.read_text()))


@contextmanager
def _alone() -> Iterator[None]:
    """One process at a time: the CDK CLI refuses to write an assembly that another is writing."""
    ASSEMBLY.parent.mkdir(parents=True, exist_ok=True)
    with (ASSEMBLY.parent / "cdk.out-local.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _flatten(by_stack: Mapping[str, Outputs]) -> Outputs:
    """Every output by its own name; the ones CDK adds for cross-stack references are left out."""
    flat: dict[str, str] = {}
    for outputs in by_stack.values():
        flat |= {name: text for name, text in outputs.items() if not name.startswith("Export")}
    return flat


def _cdk(
    arguments: list[str], environment: Mapping[str, str], assembly: Path | None = None
) -> None:
    command = [str(CDK), *arguments]
    if assembly is not None:
        command += ["--app", str(assembly)]
    done = subprocess.run(  # noqa: S603 - see the import
        command,
        cwd=ROOT,
        env={**_own_environment(), **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise DeploymentFailed(f"{' '.join(command)}\n{done.stdout}\n{done.stderr}")


def _own_environment() -> dict[str, str]:
    """Ours, with the project's own programs first and no AWS settings of the user's."""
    kept = {name: text for name, text in os.environ.items() if not name.startswith("AWS_")}
    path = f"{ROOT / '.venv' / 'bin'}{os.pathsep}{kept.get('PATH', '')}"
    # CloudFormation's checks of templates fail no synthesis, and what they say is not shown.
    unread = {"CDK_VALIDATION": "false"}
    return kept | {"PATH": path, "CI": "true", "npm_config_loglevel": "error"} | unread


def _source_files() -> Iterator[Path]:
    for name in _SOURCES:
        path = ROOT / name
        files = path.rglob("*") if path.is_dir() else [path]
        yield from (f for f in files if f.is_file() and "__pycache__" not in f.parts)
