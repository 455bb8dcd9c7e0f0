"""The command line against a deployed stack."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from typer.testing import CliRunner, Result

from infra.local.access import profile, write_profile
from tests.support.deployed.stack import Stack
from timegate.cli.main import app


@dataclass(frozen=True)
class CommandLine:
    """The command line with the profile of a tenant of the stack."""

    environ: Mapping[str, str]

    @classmethod
    def of_first(cls, stack: Stack, home: Path) -> "CommandLine":
        """Write the first tenant's profile; its token is of the deployed user pool."""
        path = home / "profile.json"
        write_profile(profile(stack.cloud, stack.outputs, stack.outputs["UserPoolClientId"]), path)
        return cls({"TIMEGATE_PROFILE_FILE": str(path)})

    def __call__(self, *words: str, code: int = 0) -> Result:
        """Run a command that ends with this code."""
        result = CliRunner(env=self.environ).invoke(app, list(words))
        assert result.exit_code == code, result.output
        return result

    def json(self, *words: str, code: int = 0) -> Any:  # noqa: ANN401 - JSON
        """Return what a command answers."""
        return json.loads(self(*words, "--json", code=code).stdout)
