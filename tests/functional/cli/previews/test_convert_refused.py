"""``schedule convert``: patterns that their own program refuses, and that never fired there."""

from collections.abc import Callable

import pytest

from tests.functional.cli.conftest import Outcome
from tests.functional.cli.converting import converted, entries

__all__ = ["converted"]


def refusal(outcome: Outcome) -> str:
    """Return why the only entry is refused; empty for one that is converted."""
    (found,) = entries(outcome)
    return str((found.get("error") or {}).get("detail", ""))


@pytest.mark.parametrize(
    ("taken", "refused"),
    [
        ("0 0 * * 6", "0 0 * * 7"),
        ("0 0 * * 5-6", "0 0 * * 5-7"),
        ("0 0 * * SUN-sat", "0 0 * * fri-mon"),
        ("0 0-23 * * *", "0 22-2 * * *"),
        ("0 0 31 * *", "0 0 L * *"),
        ("0 0 1,15 * *", "0 0 1,15W * *"),
        ("0 0 * jan-mar 1", "0 0 * jan-mar 1#2"),
        ("5/15 * * * *", "5/0 * * * *"),
        ("@hourly", "@Hourly"),
    ],
)
def test_kubernetes_refuses_what_robfig_does(
    converted: Callable[..., Outcome], taken: str, refused: str
) -> None:
    """Its cluster never had such a CronJob, or it never ran."""
    text = "kind: CronJob\nspec: {{schedule: '{}', timeZone: UTC}}\n"

    assert refusal(converted("kubernetes", text.format(taken))) == ""
    assert refusal(converted("kubernetes", text.format(refused))) != ""


@pytest.mark.parametrize(
    ("taken", "refused"),
    [
        ("Fri..Sun 10:00", "Fri..Mon 10:00"),
        ("Mon,Fri 10:00", "Fri,Sun..Mon 10:00"),
        ("*:5..6", "*:5..5"),
        ("*:2..22", "*:22..2"),
        ("*:44/15", "*:45/15"),
        ("*:0/59", "*:0/60"),
        ("*:1..5/4", "*:1..5/5"),
        ("*-*~28", "*-*~29"),
        ("*-*~02/1", "*-*~01/1"),
        ("1970-01-01", "1969-01-01"),
        ("2199-01-01", "2200-01-01"),
        ("23:59:59", "23:59:60"),
    ],
)
def test_systemd_refuses_what_its_parser_does(
    converted: Callable[..., Outcome], taken: str, refused: str
) -> None:
    """Ranges rise, a repetition comes once more, and a month is counted back by 28 days."""
    assert "systemd refuses" not in refusal(converted("systemd", taken))
    assert "systemd refuses" in refusal(converted("systemd", refused))
