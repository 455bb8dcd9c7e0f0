"""The wheel of the construct: built, installed beside the CDK alone, and synthesised there."""

import json
import shutil
import zipfile
from pathlib import Path

import pytest

from tests.infra.embedding.conftest import PATHS, sdk_in
from tests.infra.stage_template import StageTemplate
from tests.support.wheels import (
    ROOT,
    built,
    empty_environment,
    installed_beside,
    link_package,
    required,
    run,
)

pytestmark = pytest.mark.wide

#: Written into apps by ``cdk init``: an app of today has all of these flags.
_INIT = ROOT / "node_modules" / "aws-cdk" / "lib" / "init-templates"
RECOMMENDED = json.loads((_INIT / ".recommended-feature-flags.json").read_text())
#: How the shop's stack refers to the stage's is the app's own choice, and changes their outputs.
REFERENCES = "@aws-cdk/core:defaultCrossStackReferences"
SILENT = {"JSII_SILENCE_WARNING_END_OF_LIFE_NODE_VERSION": "20"}


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of the construct."""
    return built(ROOT / "timegate_cdk", tmp_path_factory.mktemp("construct"))


@pytest.fixture(scope="session")
def python(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The interpreter of an environment with the wheel, the SDK's, and what both require."""
    environment = tmp_path_factory.mktemp("app") / "venv"
    packages = empty_environment(environment)
    for name in sorted(required("aws-cdk-lib", "croniter", "httpx")):
        link_package(name, packages)
    sdk = built(ROOT, tmp_path_factory.mktemp("sdk"))
    return installed_beside(environment, sdk, wheel) / "python"


def own_app(folder: Path) -> Path:
    """Copy the example to where an app has a module ``infra`` of its own."""
    shutil.copytree(
        ROOT / "examples" / "cdk", folder, ignore=shutil.ignore_patterns("__pycache__", "sdk")
    )
    sdk_in(folder / "sdk")
    (folder / "infra.py").write_text("raise AssertionError('the app has its own infra')\n")
    return folder / "app.py"


def test_the_wheel_synthesises_what_the_checkout_does(
    example: StageTemplate, python: Path, tmp_path: Path
) -> None:
    """To the last byte of the stage, code and layers included, whatever flags the app has."""
    flags = {name: value for name, value in RECOMMENDED.items() if name != REFERENCES}
    context = json.dumps({**flags, **PATHS})
    out = tmp_path / "out"
    environ = {**SILENT, "CDK_OUTDIR": str(out), "CDK_CONTEXT_JSON": context}
    run(python, own_app(tmp_path / "shop"), environ=environ)
    packed = StageTemplate(out)
    ours, theirs = (
        {name: each.text(name) for name in each.stacks if name != "Shop"}
        for each in (example, packed)
    )

    assert len(ours) == 4
    assert {name for name, text in ours.items() if theirs[name] != text} == set()


def test_a_stage_of_the_local_cloud_takes_a_checkout(python: Path) -> None:
    """The wheel has packages for Lambda's processors and no others."""
    code = "from aws_cdk import App; from timegate_cdk import *;"
    code += "Timegate(App(), 'T', TimegateProps(stage='local'))"
    refused = run(python, "-I", "-c", code, code=1, environ=SILENT)

    assert "stage: the local cloud's stages are deployed from a checkout" in refused.stderr


def test_the_wheel_has_modules_of_its_own_name_alone(wheel: Path) -> None:
    """An app may have folders ``infra`` and ``functions``; tools of a checkout stay there."""
    names = [Path(name).parts for name in zipfile.ZipFile(wheel).namelist()]
    rooms = {parts[1] for parts in names if parts[0] == "timegate_cdk"}

    assert {parts[0].partition("-")[0] for parts in names} == {"timegate_cdk"}
    assert {"constructs", "shipped", "stacks", "stage"} <= rooms
    assert not {"admin", "local", "pages", "preflight", "hatch_build.py"} & rooms
    core = ("shipped", "layers", "core", "python", "timegate")
    layer = {parts[6] for parts in names if parts[1:6] == core}
    assert {"domain", "adapters", "runtime"} <= layer
    assert not {"cli", "client", "declaring", "pytest_plugin.py", "testing", "worker"} & layer


def test_the_package_needs_the_same_version_of_the_sdk(wheel: Path) -> None:
    """Rules that both have are then the same; the CDK is one that the tests had, or a later."""
    archive = zipfile.ZipFile(wheel)
    (name,) = [each for each in archive.namelist() if each.endswith("METADATA")]
    said = archive.read(name).decode().splitlines()
    version = next(line.partition(" ")[2] for line in said if line.startswith("Version: "))

    assert f"Requires-Dist: timegate=={version}" in said
    assert any(line.startswith("Requires-Dist: aws-cdk-lib") and ">=" in line for line in said)
