"""Manners of every command, new ones too: help, questions before the end, and completion."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from typer.main import get_command

from tests.functional.cli.conftest import Outcome
from tests.functional.cli.fake_api import FakeApi, page, placeholder
from tests.functional.cli.terminal.test_every_operation import COMMANDS, described
from timegate.cli.main import app
from timegate.cli.terminal.agreeing import YesOption

Timegate = Callable[..., Outcome]

#: Last words of commands that end something, or change many things at once. Such a command takes
#: ``EndOptions``, or ``YesOption`` and a ``--dry-run`` of its own.
ENDING = {
    *("cancel", "delete", "remove", "discard", "suspend", "lift", "prune", "disable"),
    *("reject", "skip", "rerun", "redrive", "backfill", "bulk-create", "trigger-many"),
    *("apply", "deploy", "revoke", "approve-all", "reject-all"),
}
#: So do these: all commands of a group, and one whose reach its options decide.
ENDING_GROUPS = {"bulk"}
ALSO_ENDING = {"freezes create", "stage-freezes create", "events send", "runs reschedule"}
#: Operations that undo what another began, or that a person decides one by one.
_ENDING_PATHS = re.compile(r"/(cancel|suspend|discard|redrive|skip|rerun|backfill|bulk)$")
#: Words that a help may begin with.
VERBS = {
    *("accept", "add", "administer", "allow", "approve", "ask", "be", "begin", "bound"),
    *("call", "cancel", "change", "check", "choose", "complete", "compute", "copy", "count"),
    *("cover", "create", "decide", "define", "delete", "deploy", "describe", "do"),
    *("draw", "end", "erase", "exclude", "expect", "export", "filter", "follow", "forget"),
    *(
        "freeze",
        "get",
        "give",
        "go",
        "hold",
        "join",
        "judge",
        "import",
        "include",
        "invoke",
        "keep",
        "leave",
    ),
    *("let", "lift", "list", "log", "look", "make", "map", "match", "meet", "merge"),
    *("move", "name", "narrow", "offer", "open", "order", "pause", "post", "prefer"),
    *("prevent", "preview", "print", "publish", "put", "read", "redrive", "register"),
    *("reject", "remove", "repeat", "replace", "rerun", "reset", "restrict", "resume"),
    *("retry", "return", "rotate", "run", "say", "see", "send", "serve", "set", "share"),
    *("show", "sign", "simulate", "skip", "sort", "spread", "start", "stop", "store"),
    *("subscribe", "suspend", "tag", "take", "talk", "tell", "test", "treat", "trigger"),
    *("try", "turn", "update", "use", "wait", "watch", "work", "write"),
}
#: Endings whose operations other commands call, or none.
_MORE_LINES = (
    *("bulk resume --all", "bulk cancel --all", "dags reject ID TASK"),
    *("dags approve-all ID", "dags reject-all ID"),
    *("profiles remove local", "events send --file LIST"),
)
#: They ask once their plan is shown, or AWS and no API: their own tests have a stage for it.
_PLANNING = {
    *("apply", "deploy", "admin erase", "admin keys revoke"),
    *("admin region fence", "admin region promote", "admin region fail-back", "admin region alone"),
}
#: A run that is named is tried again as it is, or one event is sent, and nothing else is changed.
OF_ONE_THING = {"runs redrive ID", "runs reschedule ID --delay 1h", "events send order.paid"}


def walk(command: Any = None, path: tuple[str, ...] = ()) -> Iterator[tuple[str, Any]]:  # noqa: ANN401 - typer keeps its types to itself
    """Every command, by its words."""
    found = command or get_command(app)
    inner = getattr(found, "commands", None)
    if not inner:
        yield " ".join(path), found
        return
    for name, each in inner.items():
        yield from walk(each, (*path, name))


TREE = dict(walk())


def is_ending(words: str) -> bool:
    """Tell if a command ends something, or changes many things."""
    group, _, _ = words.partition(" ")
    last = words.rpartition(" ")[2]
    return last in ENDING or group in ENDING_GROUPS or words in ALSO_ENDING


def options_of(words: str) -> set[str]:
    """The options of a command."""
    return {name for each in TREE[words].params for name in each.opts}


def command_of(line: str) -> str:
    """The command that a line calls."""
    return next(words for words in TREE if f"{line} ".startswith(f"{words} "))


ENDING_LINES = sorted(
    line for line in (*COMMANDS.values(), *_MORE_LINES) if is_ending(command_of(line))
)


def effects(api: FakeApi) -> list[httpx.Request]:
    """Calls that change something."""
    return [
        call
        for call in api.calls
        if call.method != "GET"
        and not call.url.path.endswith("/validate")
        and b'"dry_run":true' not in call.content.replace(b" ", b"")
    ]


def helps() -> Iterator[tuple[str, str]]:
    """Every text of help, and where it stands."""
    for words, command in TREE.items():
        yield words, command.help or ""
        for each in command.params:
            if each.param_type_name == "option" or each.help:
                yield f"{words} {each.opts[0]}", each.help or ""


def test_every_help_is_a_sentence_that_begins_with_a_verb() -> None:
    """And ends with a period; each option has one."""
    found = [(where, text.partition("\n\n")[0]) for where, text in helps()]
    odd = [
        (where, text)
        for where, text in found
        if (text.split() or [""])[0].lower() not in VERBS or not text.endswith(".")
    ]

    assert odd == []
    assert len(found) > 500


def test_every_option_of_the_root_has_a_help() -> None:
    """They are options of no command."""
    root = get_command(app)

    assert {each.name for each in root.params if not getattr(each, "help", None)} == set()


@pytest.mark.parametrize("words", TREE)
def test_help_fits_80_columns(timegate: Timegate, words: str) -> None:
    """Lines fold."""
    shown = timegate(*words.split(), "--help", columns=80)

    assert shown.code == 0
    assert [line for line in shown.out.splitlines() if len(line) > 80] == []


def test_what_ends_something_asks_and_can_be_looked_at() -> None:
    """By name, and by what its operation does to the API."""
    ending = {words for words in TREE if is_ending(words)}
    operations = described()
    by_operation = {
        command_of(line)
        for name, line in COMMANDS.items()
        if operations[name][0] == "DELETE" or _ENDING_PATHS.search(operations[name][1])
    }
    lacking = {words for words in ending if not {"--yes", "--dry-run"} <= options_of(words)}

    assert by_operation <= ending
    assert lacking == set()
    assert len(ending) > 20


@pytest.mark.parametrize("line", ENDING_LINES)
def test_a_dry_run_and_a_no_change_nothing(
    timegate: Timegate,
    api: FakeApi,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    line: str,
) -> None:
    """Each request that is sent has no effect."""

    def no(self: YesOption, question: str | Callable[[], str]) -> None:
        if not self.yes:
            raise SystemExit(1)

    (tmp_path / "list.json").write_text("[{}]")
    words = line.replace("LIST", str(tmp_path / "list.json")).split()
    empty = page([]) if " redrive" in line or " discard" in line else placeholder({"items": []})
    api.will(empty)
    timegate(*words, *(["--failed"] if words[:3] == ["runs", "redrive", "ID"] else []), "--dry-run")
    monkeypatch.setattr(YesOption, "agree", no)
    timegate(*words)

    assert len(effects(api)) == (line in OF_ONE_THING)


@pytest.mark.parametrize("line", sorted({*ENDING_LINES} - OF_ONE_THING))
@pytest.mark.parametrize("as_json", [False, True], ids=["people", "data"])
def test_without_a_terminal_it_is_refused_without_a_yes(
    timegate: Timegate,
    api: FakeApi,
    tmp_path: Path,
    agreed: Callable[[], None],
    line: str,
    *,
    as_json: bool,
) -> None:
    """A script that forgot ``--yes`` is told so by a code, before anything is changed."""
    agreed()
    (tmp_path / "list.json").write_text("[{}]")
    words = line.replace("LIST", str(tmp_path / "list.json")).split()
    api.will(placeholder({"items": []}))
    outcome = timegate(*words, *["--json"] * (as_json and "--json" in options_of(command_of(line))))

    assert (outcome.code, effects(api)) == (2, [])
    assert "confirmation_required" in outcome.err
    assert "--yes does it, --dry-run shows" in outcome.err


def test_every_command_that_asks_is_tried() -> None:
    """The lines above call each command that takes ``--yes``."""
    asking = {words for words in TREE if "--yes" in options_of(words)}

    assert {command_of(line) for line in ENDING_LINES} == asking - _PLANNING
    assert len(asking) > 20
