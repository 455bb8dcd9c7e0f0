"""Every stage, synthesised once per session: starting jsii costs more than all of them."""

import json
import os
from collections.abc import Callable
from fcntl import LOCK_EX, flock
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from aws_cdk import App

from app import build
from tests.infra.stage_template import StageTemplate

ROOT = Path(__file__).resolve().parents[2]
Synthesise = Callable[..., StageTemplate]
#: Choices of which none changes what another one does.
CHOSEN = {
    "capacity": "none",
    "accountConcurrency": "10",
    "shards": "5",
    "seals": "on",
    "tenants": "red,blue",
    "adminClient": "on",
    "corsOrigins": "https://console.example.com, https://b.example.com",
    "alertEmail": "ops@example.com",
}
#: Assets stay where they are built: a copy of them is 3,000 files.
UNSTAGED = {"aws:cdk:disable-asset-staging": True}
#: CloudFormation's checks warn on a terminal, which no test reads: they fail no synthesis.
UNREAD: dict[str, Any] = {"builtin_cloud_formation_validation": False}
#: A rule of events that starts runs of a DAG.
LANDED: dict[str, Any] = {
    "name": "landed",
    "tenant": "acme",
    "dag_id": "wnvdpbqssolb2xx4qjk53vugfv",
    "pattern": {"source": ["aws.s3"], "detail-type": ["Object Created"]},
}
SAMPLING = '[{"types": ["io.timegate.run.started"], "percent": 10}]'


@pytest.fixture(scope="session")
def synthesise(tmp_path_factory: pytest.TempPathFactory) -> Synthesise:
    """Synthesise the app with context values, as ``cdk synth -c key=value`` would.

    Assets are in the assembly of a plain stage, and of one with choices whose ``assets`` a test
    reads.
    """
    pinned = json.loads((ROOT / "cdk.json").read_text())["context"]
    # Processes that test side by side share what was synthesised.
    side_by_side = "PYTEST_XDIST_WORKER" in os.environ
    base = tmp_path_factory.getbasetemp()
    shared = (base.parent if side_by_side else base) / "assemblies"
    shared.mkdir(exist_ok=True)

    def synth(*, assets: bool = False, **context: str) -> StageTemplate:
        name = json.dumps([assets, context], sort_keys=True)
        outdir = shared / sha256(name.encode()).hexdigest()
        with (shared / f"{outdir.name}.lock").open("w") as lock:
            flock(lock, LOCK_EX)
            if not (outdir / "manifest.json").exists():
                paths = {"aws:cdk:enable-path-metadata": True}
                copied = assets or context.keys() <= {"stage"}
                given = {**pinned, **paths, **({} if copied else UNSTAGED), **context}
                build(App(outdir=str(outdir), context=given, **UNREAD)).synth()
        return StageTemplate(outdir)

    return synth


@pytest.fixture(scope="session")
def local(synthesise: Synthesise) -> StageTemplate:
    """The stage of the local cloud."""
    return synthesise(stage="local")


@pytest.fixture(scope="session")
def dev(synthesise: Synthesise) -> StageTemplate:
    """The default stage."""
    return synthesise()


@pytest.fixture(scope="session")
def prod(synthesise: Synthesise) -> StageTemplate:
    """Production."""
    return synthesise(stage="prod")


@pytest.fixture(scope="session")
def keyed(synthesise: Synthesise) -> StageTemplate:
    """Production with a key of its own."""
    return synthesise(stage="prod", kmsKey="own")


@pytest.fixture(scope="session")
def pair(synthesise: Synthesise) -> StageTemplate:
    """Production in two regions, as the first of them is deployed."""
    return synthesise(stage="prod", regionPair="eu-west-1,eu-central-1", region="eu-west-1")


@pytest.fixture(scope="session")
def telling(synthesise: Synthesise) -> StageTemplate:
    """Production with events, of which it samples some."""
    return synthesise(stage="prod", events="on", eventSampling=SAMPLING)


@pytest.fixture(scope="session")
def landing(synthesise: Synthesise) -> StageTemplate:
    """Production of the standard capacity, where an event starts runs of a DAG."""
    return synthesise(stage="prod", capacity="standard", dagEvents=json.dumps([LANDED]))


@pytest.fixture(scope="session")
def chosen(synthesise: Synthesise) -> StageTemplate:
    """The default stage with many choices: one synthesis for the tests of each."""
    return synthesise(**CHOSEN)


@pytest.fixture(scope="session")
def foreign(synthesise: Synthesise) -> StageTemplate:
    """The default stage with an issuer of its own for programs and people, and without archive."""
    return synthesise(
        archive="off",
        issuer="https://id.example.com",
        audience="timegate,jobs",
        tenantClaim="tenant",
        consoleClient="spa",
        rolesClaim="roles",
    )


@pytest.fixture(scope="session")
def peaks(synthesise: Synthesise) -> StageTemplate:
    """Production with provisioned pollers in a lane and with warm tables, and without traces."""
    return synthesise(stage="prod", pollers="normal-short=50", warmWrites="20000", tracePercent="0")


@pytest.fixture(scope="session", params=["local", "dev", "prod"])
def stage(request: pytest.FixtureRequest) -> StageTemplate:
    """Each stage in turn."""
    template: StageTemplate = request.getfixturevalue(request.param)
    return template
