"""``schedule convert``: texts that are long, or hold characters that only look like others."""

from collections.abc import Callable
from io import StringIO
from types import SimpleNamespace

import pytest

from tests.functional.cli.conftest import Outcome
from tests.functional.cli.converting import converted, entries, warned
from timegate.cli.migrating.cron.crontab import read_crontab
from timegate.cli.migrating.cron.expressions import read_expressions
from timegate.cli.migrating.entries import ScheduleEntry, Source
from timegate.cli.terminal import values

__all__ = ["converted"]

DIGITS = "9" * 5000


@pytest.mark.parametrize(
    ("line", "command", "has_input"),
    [
        (r"date +\%F", "date +%F", False),
        (r"printf 'a\\%b'", r"printf 'a\\", True),
        (r"printf 'a\\\%b'", r"printf 'a\\%b'", False),
        ("cat%one%two", "cat", True),
        ("echo a\\", "echo a\\", False),
    ],
)
def test_a_percent_sign_ends_a_command_unless_a_backslash_is_before_it(
    line: str, command: str, has_input: bool
) -> None:
    """A backslash that is escaped itself is none."""
    (found,) = read_crontab(f"0 5 * * * {line}", timezone="UTC", system=False)

    assert isinstance(found, ScheduleEntry)
    assert found.command == command
    assert [note.code for note in found.notes] == ["standard_input"] * has_input


@pytest.mark.parametrize("mark", ["\u2028", "\x85", "\x0c", "\x1e"])
def test_only_one_character_ends_a_line(mark: str) -> None:
    """The rest of a command is no second line of the crontab."""
    text = f"0 5 * * * echo a{mark}0 6 * * * b\n{mark}\n0 7 * * * c\n"
    found = read_crontab(text, timezone="UTC", system=False)

    assert [(each.line, each.text) for each in found] == [(1, "0 5 * * *"), (3, "0 7 * * *")]
    assert len(read_expressions(f"rate(1{mark}day)", Source.EVENTBRIDGE, timezone=None)) == 1


@pytest.mark.parametrize("minutes", ["²", "٣", "-1", "1441", DIGITS])
def test_a_delay_that_is_no_number_is_left_out(
    converted: Callable[..., Outcome], minutes: str
) -> None:
    """With a warning."""
    (found,) = entries(converted("crontab", f"CRON_TZ=UTC\nRANDOM_DELAY={minutes}\n@daily run\n"))

    assert warned(found) == ["random_delay"]


@pytest.mark.parametrize(
    "text",
    [
        "*-*~999999999/1",
        f"*-*~{DIGITS}",
        f"*-*-{DIGITS}",
        f"[Timer]\nOnUnitActiveSec={DIGITS}",
        "[Timer]\nOnUnitActiveSec=1000000000000000000000",
    ],
)
def test_a_number_of_any_length_is_refused(converted: Callable[..., Outcome], text: str) -> None:
    """At once, and alone."""
    outcome = converted("systemd", text)

    assert outcome.code == 1
    assert entries(outcome)[0]["error"]["code"] == "invalid_calendar_event"


def test_standard_input_is_utf_8_text(
    timegate: Callable[..., Outcome], monkeypatch: pytest.MonkeyPatch
) -> None:
    """In some locales, Python keeps other bytes as halves of characters."""
    given = SimpleNamespace(stdin=StringIO("0 9 * * * caf\udce9\n"))
    monkeypatch.setattr(values, "sys", given)
    refused = timegate("import", "crontab", "-", "--action-url", "https://example.com/run")

    assert (refused.code, refused.out) == (2, "")
    assert "standard input cannot be read: it is not UTF-8 text" in refused.err
