"""Crontabs of the system have a user before each command; those of users have none."""

from collections.abc import Callable

import pytest

from tests.functional.cli.conftest import Outcome
from tests.functional.cli.converting import converted, entries, warned

__all__ = ["converted"]

UTC = ("--timezone", "UTC")


@pytest.mark.parametrize(
    ("command", "is_told"),
    [("root /bin/tidy", True), ("/bin/root tidy", False), ("rootkit-check", False)],
)
def test_a_user_that_is_no_command_is_told(
    converted: Callable[..., Outcome], command: str, is_told: bool
) -> None:
    """A file of the system that is read as a user's has ``root`` there."""
    line = f"0 3 * * * {command}\n"
    (found,) = entries(converted("crontab", line, *UTC))

    assert warned(found) == (["user_column"] if is_told else [])
    if command.startswith("root "):
        assert warned(entries(converted("crontab", line, *UTC, "--system"))[0]) == []


@pytest.mark.parametrize("user", ["root", "www-data", "_apt", "svc$", "a.b"])
def test_names_of_users_are_taken(converted: Callable[..., Outcome], user: str) -> None:
    """Letters, digits, dots and dashes."""
    (found,) = entries(converted("crontab", f"0 3 * * * {user} tidy\n", *UTC, "--system"))

    assert found["error"] is None


@pytest.mark.parametrize("program", ["/usr/bin/backup", "./backup", "A=1", "[", "-x"])
def test_a_program_is_no_user(converted: Callable[..., Outcome], program: str) -> None:
    """A user's crontab that is read as the system's would lose its programs."""
    line = f"0 3 * * * {program} --all\n"
    (refused,) = entries(converted("crontab", line, *UTC, "--system"))

    assert refused["error"]["code"] == "no_user"
    assert entries(converted("crontab", line, *UTC))[0]["error"] is None
