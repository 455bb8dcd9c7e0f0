"""The demonstration, and the commands of README and tour, on a stack as newcomers have it."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import expect

from infra.local.access import profile
from infra.local.console.people import DEMO
from infra.local.console.site import DIST, ConsoleSite, stop_console
from infra.local.demo.show import show
from infra.local.demo.targets import targets
from infra.local.deployment import ROOT
from tests.e2e.console.browser import Visit, chromium, dist_is_built, visiting
from tests.support.deployed.stack import Stack, deployed, wait_until
from tests.support.documents.transcript import Comparison, Step, steps

#: How long a document may mean by "a few seconds later".
_LATER_SECONDS = 20
#: A job of the demonstration.
_SEEN = "report, Berlin time"


def run(command: str, access: Path) -> str:
    """Return a command's output, in the surroundings that the document asks for.

    The notice of a machine so slow that an answer takes seconds is no part of it.
    """
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
    lines = done.stdout.splitlines(keepends=True)
    return "".join(line for line in lines if " has not answered yet. " not in line)


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


@contextmanager
def console_of(stack: Stack) -> Iterator[Visit]:
    """A browser at the console's address, as `make demo` serves it."""
    dist_is_built(DIST)
    site = ConsoleSite.start(stack.cloud, stack.outputs)
    try:
        with chromium() as browser, visiting(browser, site) as visit:
            yield visit
    finally:
        stop_console(Path(stack.cloud.home))
        assert site.process is not None
        site.process.wait(timeout=10)


def names_of_jobs(stack: Stack) -> set[str]:
    """Names of the first tenant's jobs."""
    return {str(each["name"]) for each in stack.api.get("/v1/jobs").json()["items"]}


def test_the_demonstration_ends_as_it_must_and_is_seen_in_the_browser(
    stack: Stack, access: Path
) -> None:
    """Every kind, priority and target; one flaky, one hopeless; nothing early.

    The console's address is there before the first job. A newcomer signs in, and finds a job and
    its run; each is waited for no longer than a minute.
    """
    with ThreadPoolExecutor(1) as beside, console_of(stack) as visit:
        shown = beside.submit(show, stack.cloud, stack.outputs, access)
        wait_until(lambda: shown.done() or _SEEN in names_of_jobs(stack) or None, seconds=120)
        visit.sign_in(DEMO)
        visit.open("/jobs")
        visit.page.get_by_role("link", name=_SEEN).first.click()
        visit.page.get_by_role("tab", name="Runs", exact=True).click()
        runs = visit.page.get_by_role("table", name="Runs", exact=True)
        expect(runs.get_by_text("succeeded").first).to_be_visible()
        ended = shown.result()

    assert ended
    assert visit.complaints == []


@pytest.mark.parametrize("document", ["README.md", "docs/tour.md"])
def test_commands_print_the_output_beside_them(document: str, stack: Stack, access: Path) -> None:
    """Ids, instants and durations are today's."""
    comparison = Comparison()
    with targets(stack.cloud):
        for step in steps(ROOT / document):
            compare(step, comparison, lambda command: run(command, access))


def compare(step: Step, comparison: Comparison, execute: Callable[[str], str]) -> None:
    """Run a command until it prints what was promised; one that creates something only once."""
    command = comparison.translate(step.command)
    seconds = 0 if " create " in command else _LATER_SECONDS
    printed: list[str] = []

    def as_promised() -> bool | None:
        printed.append(execute(command))
        return comparison.matches(step.output, printed[-1]) or None

    wait_until(as_promised, seconds=seconds, what=lambda: f"{command}\n{printed[-1]}")
