"""Targets and other callers write names and errors: a tab neither runs them nor fails by them."""

import pytest
from typer._click.shell_completion import CompletionItem
from typer._completion_classes import FishComplete, ZshComplete

from timegate.cli.completing.reading import beginning

#: Zsh evaluates offers. Typer escapes a dollar with a backslash; one before it ends that.
COMMANDS = (
    r"\$(touch owned)",
    "$(touch owned)",
    "`touch owned`",
    r"\`touch owned\`",
    r"\";touch a",
)


@pytest.mark.parametrize(
    "name",
    [*COMMANDS, "two words", "a;b", "a&b", "a|b", "a>b", "*", "~root", "--yes", "=ls", "a\nb"],
)
def test_a_name_that_is_no_plain_word_is_not_offered(name: str) -> None:
    """A shell inserts an offer as it is; the line that it makes would be another command."""
    assert beginning("", [(name, "a job")]) == []


@pytest.mark.parametrize(
    "name",
    ["nightly", "nächtlich", "team=ops", "team:ops", "Dag/load", "a.b-c_d", "ann@example.com"],
)
def test_a_plain_word_is_offered(name: str) -> None:
    """Letters of every alphabet, and marks that no shell acts on."""
    assert beginning(name[:2], [(name, "a job")]) == [(name, "a job")]


@pytest.mark.parametrize("about", [*COMMANDS, 'it\'s "so"', "[/b]", "[red]", "a\nb\x1b[2J"])
@pytest.mark.parametrize("shell", [ZshComplete, FishComplete])
def test_a_meaning_has_nothing_that_a_shell_acts_on(
    about: str, shell: type[ZshComplete | FishComplete]
) -> None:
    """Typer draws meanings before it writes them: markup that ends nothing would end it."""
    ((name, told),) = beginning("", [("nightly", about)])
    written = shell.__new__(shell).format_completion(CompletionItem(name, help=told))

    assert not set(told) & set("\\$`\"'[]\n\x1b")
    assert "nightly" in written
