"""Actions of imported commands: a pool, a web hook, or a template whose marks are filled."""

from pathlib import Path

import pytest

from tests.functional.cli.apply.test_imports import Timegate, documents, imported
from tests.functional.cli.served import served, timegate

__all__ = ["served", "timegate"]

LINE = "30 2 * * * /bin/backup a\n"


def test_a_pool_gets_each_command(timegate: Timegate, tmp_path: Path) -> None:
    """Its handler is ``run`` unless another one is named; the API takes the job."""
    named = imported(
        timegate, tmp_path, "crontab", LINE, "--pool", "shell", "--handler", "Nightly.sh"
    )
    outcome = imported(timegate, tmp_path, "crontab", LINE, "--pool", "shell")
    path = tmp_path / "jobs.yaml"
    path.write_text(outcome.out)

    assert documents(named)["backup"]["action"]["handler"] == "Nightly.sh"
    assert documents(outcome)["backup"]["action"] == {
        "type": "worker",
        "pool": "shell",
        "handler": "run",
    }
    assert timegate("apply", "-f", str(path), "--yes").code == 0


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ((), "one of --pool, --action-url and --action"),
        (("--pool", "a", "--action-url", "https://a.example"), "one of --pool"),
        (("--handler", "run", "--action-url", "https://a.example"), "name their --pool"),
        (("--pool", "Shell"), "--pool: A pool's name has 1 to 64 letters"),
        (("--pool", "shell", "--handler", "-x"), "--handler: A handler's name has"),
    ],
)
def test_one_valid_action_is_given(
    timegate: Timegate, tmp_path: Path, options: tuple[str, ...], said: str
) -> None:
    """Nothing is written otherwise."""
    outcome = imported(timegate, tmp_path, "crontab", LINE, *options)

    assert (outcome.code, outcome.out) == (2, "")
    assert said in " ".join(outcome.err.replace("│", " ").split())


def test_marks_of_no_text_stay(timegate: Timegate, tmp_path: Path) -> None:
    """A mark that a crontab does not fill is the action's own text."""
    outcome = imported(
        timegate, tmp_path, "crontab", LINE, "--pool", "shell", "--payload", '["{image}", "{name}"]'
    )

    assert documents(outcome)["backup"]["payload"] == ["{image}", "backup"]
