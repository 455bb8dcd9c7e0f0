"""``docs/reference/cli.md`` shows what the command does."""

import re
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command

from tests.functional.cli.conftest import Outcome
from timegate.cli.main import app

Timegate = Callable[..., Outcome]

DOCS = Path(__file__).resolve().parents[4] / "docs"
DOCUMENT = DOCS / "reference" / "cli.md"
_SESSION = re.compile(r"^```console\n(.*?)^```", re.MULTILINE | re.DOTALL)
_FILE = re.compile(r"^`([a-z]+\.yaml)`:\n\n```yaml\n(.*?)^```", re.MULTILINE | re.DOTALL)


def sessions() -> list[tuple[str, str]]:
    """Every command in the document, and what it printed."""
    text = "".join(_SESSION.findall(DOCUMENT.read_text())).replace("\\\n", "")
    parts = re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]
    return [(command, output) for command, _, output in (part.partition("\n") for part in parts)]


def commands() -> list[list[str]]:
    """The words of every ``timegate`` command in it."""
    found = [shlex.split(command, comments=True) for command, _ in sessions()]
    return [words[words.index("timegate") + 1 :] for words in found if "timegate" in words]


def spoken() -> list[tuple[str, list[str]]]:
    """The words of every command within a sentence of any page, and the page."""
    pages = [page for page in DOCS.rglob("*.md") if "decisions" not in page.parts]
    found = []
    for page in pages:
        prose = re.sub(r"^```.*?^```", "", page.read_text(), flags=re.MULTILINE | re.DOTALL)
        for span in re.findall(r"`(?:\S*/)?timegate ([a-z-]+[^`|…]*)", prose):
            words = shlex.split(span.replace("'", "") if span.count("'") % 2 else span)
            found.append((str(page.relative_to(DOCS)), words))
    return found


def tidy(text: str) -> list[str]:
    """Without the blanks at the ends of lines."""
    return [line.rstrip() for line in text.strip().splitlines()]


@pytest.mark.parametrize(
    ("command", "output"),
    [
        pytest.param(command, output, id=command)
        for command, output in sessions()
        if command.startswith("timegate schedule preview")
    ],
)
def test_a_documented_preview_is_what_it_prints(
    timegate: Timegate, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, command: str, output: str
) -> None:
    """Every instant in the document is right; the files are those that it shows."""
    monkeypatch.chdir(tmp_path)
    for name, text in _FILE.findall(DOCUMENT.read_text()):
        (tmp_path / name).write_text(text)
    outcome = timegate(*shlex.split(command)[1:])

    assert tidy(outcome.out + outcome.err) == tidy(output)


def test_previews_are_documented() -> None:
    """Else the test above would hold of nothing."""
    assert sum(words[:2] == ["schedule", "preview"] for words in commands()) >= 3


@pytest.mark.parametrize("words", commands(), ids=" ".join)
def test_a_documented_command_exists(timegate: Timegate, words: list[str]) -> None:
    """With every option it is shown with."""
    command = [word for word in words[:2] if not word.startswith("-")]
    help_text = timegate(*command, "--help", columns=400).out
    options = [word for word in words[len(command) :] if re.match(r"-[-a-z]", word)]

    assert [option for option in options if f" {option} " not in help_text] == []


def test_a_command_within_a_sentence_exists() -> None:
    """On any page, with the options that it is named with."""
    wrong = [f"{page}: {' '.join(words)}" for page, words in spoken() if not is_known(words)]

    assert len(spoken()) > 100
    assert wrong == []


def is_known(words: list[str]) -> bool:
    """Follow the words that name a command, then look for its options."""
    command: Any = get_command(app)
    context = command.context_class(command)
    for word in words:
        if not hasattr(command, "get_command") or word.startswith("-"):
            break
        command = command.get_command(context, word)
        if command is None:
            return False
    known = {option for each in command.params for option in each.opts}
    return {word for word in words if re.match("--[a-z]", word)} <= {*known, "--help"}


def test_every_command_is_documented(timegate: Timegate) -> None:
    """A command that no page describes is not used."""
    text = DOCUMENT.read_text()
    every = [
        f"{group} {line.split()[1]}"
        for group in (
            *("jobs", "bulk", "operations", "runs"),
            *(
                "schedule",
                "import",
                "calendars",
                "freezes",
                "stage-freezes",
                "dead-letters",
                "dags",
            ),
            *("tenants", "profiles"),
        )
        for line in timegate(group, "--help", columns=400).out.split("Commands")[1].splitlines()
        if re.match(r"│ [a-z]", line)
    ]

    assert len(every) > 60
    assert [name for name in every if f"timegate {name}" not in text] == []
