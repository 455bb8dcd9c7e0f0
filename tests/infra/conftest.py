"""Every stage, synthesised once per session: starting jsii costs more than all of them."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from aws_cdk import App

from app import build
from tests.infra.stage_template import StageTemplate

ROOT = Path(__file__).resolve().parents[2]
Synthesise = Callable[..., StageTemplate]


@pytest.fixture(scope="session")
def synthesise(tmp_path_factory: pytest.TempPathFactory) -> Synthesise:
    """Synthesise the app with context values, as ``cdk synth -c key=value`` would."""
    pinned = json.loads((ROOT / "cdk.json").read_text())["context"]

    def synth(**context: str) -> StageTemplate:
        outdir = tmp_path_factory.mktemp("cdk.out")
        paths = {"aws:cdk:enable-path-metadata": True}
        build(App(outdir=str(outdir), context={**pinned, **paths, **context})).synth()
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


@pytest.fixture(scope="session", params=["local", "dev", "prod"])
def stage(request: pytest.FixtureRequest) -> StageTemplate:
    """Each stage in turn."""
    template: StageTemplate = request.getfixturevalue(request.param)
    return template
