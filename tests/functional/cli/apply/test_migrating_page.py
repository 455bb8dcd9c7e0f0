"""``docs/guides/migrating.md`` shows what the commands do, and knows every warning."""

import re
import shlex
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.functional.cli.conftest import Outcome
from timegate.cli.migrating.entries import Source

ROOT = Path(__file__).resolve().parents[4]
PAGE = (ROOT / "docs" / "guides" / "migrating.md").read_text()
PACKAGE = ROOT / "layers/core/python/timegate/cli/migrating"
#: The files of the page by the language of their block.
FILES = {
    "crontab": "ops.crontab",
    "yaml": "cronjobs.yaml",
    "ini": "tidy.timer",
    "json": "report.json",
    "yml": "nightly.yml",
}


def tidy(text: str) -> list[str]:
    """Without the blanks at the ends of lines."""
    return [line.rstrip() for line in text.strip().splitlines()]


def test_the_page_shows_what_happens(
    timegate: Callable[..., Outcome], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every command, line by line."""
    for language, name in FILES.items():
        (content,) = re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)
        (tmp_path / name).write_text(content)
    monkeypatch.chdir(tmp_path)
    text = "".join(re.findall(r"```console\n(.*?)```", PAGE, re.DOTALL))
    shown = [part.partition("\n") for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]]

    assert len(shown) == 6
    for command, _, output in shown:
        outcome = timegate(*shlex.split(command)[1:], columns=400)
        assert tidy(outcome.out + outcome.err) == tidy(output)


def test_the_page_knows_every_program_and_warning() -> None:
    """The page lists the names in the code."""
    source = "\n".join(path.read_text() for path in PACKAGE.rglob("*.py"))
    written = {*re.findall(r'Note\(\s*code="(\w+)"', source), "clock_change"}
    listed = set(re.findall(r"^\| `(\w+)` \| ", PAGE, re.MULTILINE))

    assert listed == written | set(Source)
