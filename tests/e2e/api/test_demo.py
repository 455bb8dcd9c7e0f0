"""The demonstration, on the deployed stack."""

import json
from pathlib import Path

from infra.local.access import profile
from infra.local.demo.show import show
from tests.support.deployed.stack import Stack


def test_the_demonstration_ends_as_it_must(stack: Stack, tmp_path: Path) -> None:
    """Every kind, priority and target; one flaky, one hopeless; nothing early."""
    access = tmp_path / "profile.json"
    access.write_text(
        json.dumps(profile(stack.cloud, stack.outputs, stack.outputs["UserPoolClientId"]))
    )

    assert show(stack.cloud, stack.outputs, access)
