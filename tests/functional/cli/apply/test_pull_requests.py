"""``examples/pull_requests``: a plan as a comment, and a workflow that asks for it."""

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

from tests.functional.cli.conftest import Outcome
from tests.functional.cli.served import served, timegate

__all__ = ["served", "timegate"]

Timegate = Callable[..., Outcome]

EXAMPLES = Path(__file__).resolve().parents[4] / "examples" / "pull_requests"
JOB = """
kind: Job
name: report
spec:
  description: "```\\n# Not a heading"
  schedule: {kind: cron, cron: "0 9 * * *"}
  action: {type: webhook, url: https://example.com/report}
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "checkout" / "schedules.yaml"
    path.parent.mkdir()
    path.write_text(JOB)
    return path


def comment(outcome: Outcome, folder: Path) -> subprocess.CompletedProcess[str]:
    """The script's answer where ``timegate`` answers as the command has in this process."""
    (folder / "plan.txt").write_text(outcome.out + outcome.err)
    (folder / "asked.txt").unlink(missing_ok=True)
    command = folder / "timegate"
    command.write_text(
        f'#!/usr/bin/env bash\nprintf "%s\\n" "$@" > asked.txt\ncat plan.txt\nexit {outcome.code}\n'
    )
    command.chmod(0o700)
    return subprocess.run(
        [EXAMPLES / "plan_comment.sh", "schedules.yaml", "more"],
        cwd=folder,
        env={**os.environ, "PATH": f"{folder}:{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_change_is_a_comment(timegate: Timegate, file: Path) -> None:
    """The comment holds the whole plan, each line indented."""
    plan = timegate("diff", "-f", str(file), "--prune")
    done = comment(plan, file.parent)

    assert plan.code == 5
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[0] == "**Timegate:** merging this changes what runs."
    assert done.stdout.splitlines()[2:] == [f"    {line}" for line in plan.out.splitlines()]
    asked = (file.parent / "asked.txt").read_text().split()
    assert asked == ["diff", "-f", "schedules.yaml", "-f", "more", "--prune"]


def test_no_change_is_no_comment(timegate: Timegate, file: Path) -> None:
    """A pull request that changes words alone is left alone."""
    timegate("apply", "-f", str(file), "--yes")
    done = comment(timegate("diff", "-f", str(file), "--prune"), file.parent)

    assert (done.returncode, done.stdout) == (0, "")


def test_a_refusal_fails_and_says_why(timegate: Timegate, file: Path) -> None:
    """With the exit code of the command."""
    file.write_text(JOB.replace("https://example.com", "http://169.254.169.254"))
    plan = timegate("diff", "-f", str(file), "--prune")
    done = comment(plan, file.parent)

    assert (plan.code, done.returncode) == (1, 1)
    assert done.stdout.startswith("**Timegate:** this is refused.\n")
    assert "action.url" in done.stdout


@pytest.mark.parametrize(("length", "goes_on"), [(59_996, False), (59_997, True)])
def test_a_long_plan_fits_into_a_comment(tmp_path: Path, length: int, *, goes_on: bool) -> None:
    """A comment has 65,536 characters at most; each line is four longer than in the plan."""
    done = comment(Outcome(code=5, out="x" * length, err="", unexpected=None), tmp_path)

    assert len(done.stdout) < 65_536
    assert ("The plan goes on" in done.stdout) is goes_on


def test_the_workflow_runs_the_script_and_applies_on_main() -> None:
    """Secrets reach no pull request of a fork, and no text of an event reaches a shell."""
    workflow = yaml.safe_load((EXAMPLES / "timegate.yml").read_text())
    plan, apply = workflow["jobs"]["plan"], workflow["jobs"]["apply"]
    scripts = [step["run"] for job in (plan, apply) for step in job["steps"] if "run" in step]

    assert "head.repo.full_name == github.repository" in plan["if"]
    assert apply["if"] == "github.event_name == 'push'"
    assert any("plan_comment.sh schedules" in script for script in scripts)
    assert any("timegate apply -f schedules --prune --yes" in script for script in scripts)
    assert not any("${{" in script for script in scripts)


CHANGED = "**Timegate:** merging this changes what runs.\n"
NOTHING = "**Timegate:** merging this changes nothing.\n"


@pytest.mark.parametrize(
    ("plan", "code", "known", "called", "body"),
    [
        ("", 0, "", "", ""),
        (CHANGED, 0, "", "pr comment 7 --body-file PLAN", CHANGED),
        (CHANGED, 0, "41\n42\n", "api -X PATCH repos/o/r/issues/comments/42", CHANGED),
        ("", 0, "42\n", "api -X PATCH repos/o/r/issues/comments/42", NOTHING),
        (CHANGED, 1, "", "pr comment 7 --body-file PLAN", CHANGED),
    ],
    ids=["nothing", "first", "again", "taken-back", "refused"],
)
def test_a_pull_request_has_one_comment_that_is_up_to_date(
    tmp_path: Path, plan: str, code: int, known: str, called: str, body: str
) -> None:
    """It is the workflow's own: another one's comment of the same bot is left alone."""
    workflow = yaml.safe_load((EXAMPLES / "timegate.yml").read_text())
    (script,) = [
        step["run"] for step in workflow["jobs"]["plan"]["steps"] if "PROFILE" in str(step)
    ]
    folder = tmp_path / ".github" / "workflows"
    folder.mkdir(parents=True)
    asks = 'if [ "$4" = --jq ]; then printf %s "$KNOWN"; exit; fi'
    for name, text in {
        folder / "plan_comment.sh": f'printf %s "$PLAN"; exit {code}',
        tmp_path / "gh": f'{asks}\nprintf "%s\\n" "$*" >> called.txt',
    }.items():
        name.write_text(f"#!/usr/bin/env bash\n{text}\n")
        name.chmod(0o700)
    given = {"PROFILE": "{}", "NUMBER": "7", "GITHUB_REPOSITORY": "o/r", "RUNNER_TEMP": "."}
    done = subprocess.run(
        ["bash", "-eo", "pipefail", "-c", script],
        cwd=tmp_path,
        env={
            **os.environ,
            **given,
            "PATH": f".:{os.environ['PATH']}",
            "KNOWN": known,
            "PLAN": plan,
        },
        capture_output=True,
        text=True,
        check=False,
    )
    calls = tmp_path / "called.txt"
    said = calls.read_text().replace("./plan.md", "PLAN") if calls.exists() else ""

    assert (done.returncode, done.stderr) == (code, "")
    assert said.strip().startswith(called)
    assert len(said.splitlines()) == bool(called)
    assert (tmp_path / "plan.md").read_text() == body
