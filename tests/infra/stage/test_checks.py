"""Rules that others wrote: AWS Solutions (cdk-nag) and cfn-lint."""

import subprocess
import sys
from pathlib import Path

import pytest
from aws_cdk import App, Stack
from aws_cdk import aws_sqs as sqs

from app import build
from tests.infra.conftest import ROOT
from tests.infra.stage_template import StageTemplate

pytestmark = pytest.mark.wide


def test_an_unexplained_finding_fails_the_synthesis() -> None:
    """Every stage that these tests read was synthesised, so it has none."""
    app = build(App())
    sqs.Queue(Stack(app, "Careless"), "PlainQueue")

    with pytest.raises(RuntimeError, match="AwsSolutions-SQS3"):
        app.synth()


@pytest.mark.parametrize(
    ("stages", "ignored"),
    [
        pytest.param(["dev", "prod"], [], id="AWS"),
        # Its own permissions are no actions of AWS. The rest is what .cfnlintrc.yaml ignores, too.
        pytest.param(["local"], ["--ignore-checks", "W3005", "W3037"], id="the local cloud"),
    ],
)
def test_cfn_lint_has_nothing_to_say(
    stages: list[str], ignored: list[str], request: pytest.FixtureRequest
) -> None:
    """Properties, types and regions are what CloudFormation accepts."""
    templates: list[StageTemplate] = [request.getfixturevalue(stage) for stage in stages]
    files = [str(path) for each in templates for path in each.files]
    verdict = subprocess.run(
        [Path(sys.executable).with_name("cfn-lint"), *ignored, "--", *files],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )

    assert verdict.stdout + verdict.stderr == ""
