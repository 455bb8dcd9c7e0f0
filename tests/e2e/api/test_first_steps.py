"""The demonstration, and the commands of README and tour, on a stack as newcomers have it."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from infra.local.access import profile
from infra.local.demo.show import show
from infra.local.demo.targets import targets
from infra.local.deployment import ROOT
from tests.support.deployed.stack import Stack, deployed, wait_until
from tests.support.documents.transcript import Comparison, Step, steps

#: How long a document may mean by "a few seconds later".
_LATER_SECONDS = 20


def run(command: str, access: Path) -> str:
    """What a command prints, in the surroundings that the document asks for."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-c", command],
        env={
            "PATH": path,
            "TIMEGATE_PROFILE_FILE": str(access),
            "HOME": str(access.parent),
            "TZ": "UTC",
        },
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    return done.stdout


@pytest.fixture(scope="module")
def stack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    """A stack as `make local` starts it: IAM is not enforced."""
    with deployed(tmp_path_factory.mktemp("newcomer"), auth=False) as stack:
        yield stack


@pytest.fixture
def access(stack: Stack, tmp_path: Path) -> Path:
    """Write the profile of the first tenant."""
    access = tmp_path / "profile.json"
    access.write_text(
        json.dumps(profile(stack.cloud, stack.outputs, stack.outputs["UserPoolClientId"]))
    )
    return access


def test_the_demonstration_ends_as_it_must(stack: Stack, access: Path) -> None:
    """Every kind, priority and target; one flaky, one hopeless; nothing early."""
    assert show(stack.cloud, stack.outputs, access)


@pytest.mark.parametrize("document", ["README.md", "docs/tour.md"])
def test_commands_print_the_output_beside_them(document: str, stack: Stack, access: Path) -> None:
    """Ids, instants and durations are today's."""
    comparison = Comparison()
    with targets(stack.cloud):
        for step in steps(ROOT / document):
            expect(step, comparison, lambda command: run(command, access))


def expect(step: Step, comparison: Comparison, execute: Callable[[str], str]) -> None:
    """Run a command until it prints what was promised; one that creates something only once."""
    command = comparison.translate(step.command)
    seconds = 0 if " create " in command else _LATER_SECONDS
    printed: list[str] = []

    def as_promised() -> bool | None:
        printed.append(execute(command))
        return comparison.matches(step.output, printed[-1]) or None

    wait_until(as_promised, seconds=seconds, what=lambda: f"{command}\n{printed[-1]}")
