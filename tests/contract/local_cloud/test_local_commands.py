"""``make local-stop`` keeps what a stack holds, ``make local-reset`` empties it."""

from collections.abc import Callable
from pathlib import Path

import pytest

from infra.local import __main__ as commands
from infra.local.cloud import STATE, LocalCloud
from infra.local.holdings import MANY_RECORDS, Holdings, holdings
from tests.contract.local_cloud.test_kept_cloud import Kept, items, kept, put

pytestmark = pytest.mark.wide

__all__ = ["kept"]


@pytest.fixture
def run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[[Callable[[], None]], list[str]]:
    """Run a command on this test's own home; the lines that it says."""
    monkeypatch.setattr(commands, "HOME", tmp_path / "home")
    monkeypatch.setenv("TIMEGATE_PROFILE_FILE", str(tmp_path / "profile.json"))

    def said(command: Callable[[], None]) -> list[str]:
        command()
        return capsys.readouterr().out.splitlines()

    return said


def test_a_stop_keeps_and_a_reset_empties(
    kept: Kept,
    run: Callable[[Callable[[], None]], list[str]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The profile goes with the stack; what is held is counted before and after."""

    def running(_: Path) -> LocalCloud | None:
        # This process's own child has to be waited for; that of ``make local`` has no parent.
        return kept.cloud if kept.cloud.answers() else None

    monkeypatch.setattr(LocalCloud, "running", running)
    profile = tmp_path / "profile.json"
    for key in "abc":
        put(kept, key)
    profile.write_text("{}")
    held = holdings(kept.cloud)
    stopped, again = run(commands.down), run(commands.down)
    is_left = profile.exists()
    kept.cloud = kept._started()
    found, still = items(kept), holdings(kept.cloud)
    emptied, nothing = run(commands.reset), run(commands.reset)
    state = (tmp_path / "home" / STATE).exists()
    kept.cloud = kept._started()

    assert (held.records, held.tables) == (still.records, still.tables) == (3, 1)
    assert still.kept_bytes > 0
    assert stopped == ["Stopped. make local goes on with its data; make local-reset removes it."]
    assert (again, is_left) == (["No local stack is running."], False)
    assert found == {"a", "b", "c"}
    assert emptied[-1] == "Emptied: the next make local begins without jobs."
    assert (nothing, state) == (["No local stack has any data."], False)
    assert holdings(kept.cloud).records == 0


@pytest.mark.parametrize(
    ("records", "lines"),
    [(MANY_RECORDS, ["It holds 50,000 records in 9 tables, 12.5 MB on disk."]), (50_001, None)],
)
def test_aws_is_named_when_a_stack_is_large(records: int, lines: list[str] | None) -> None:
    """One record more than one process keeps time with."""
    said = [*Holdings(records=records, tables=9, kept_bytes=12_500_000).lines()]

    assert said == lines or (len(said), "a stage on AWS keeps time better" in said[1]) == (2, True)
