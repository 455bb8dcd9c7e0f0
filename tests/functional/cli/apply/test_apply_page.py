"""``docs/guides/apply.md`` shows what the command does."""

import re
import shlex
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.functional.cli.conftest import Outcome
from tests.functional.cli.served import served, timegate

__all__ = ["served", "timegate"]

PAGE = (Path(__file__).resolve().parents[4] / "docs" / "guides" / "apply.md").read_text()


def test_the_page_shows_what_happens(
    timegate: Callable[..., Outcome], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In its order, line by line; an ellipsis stands for lines that were shown before."""
    (declared,) = re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL)
    (tmp_path / "nightly.yaml").write_text(declared)
    (tmp_path / "later.yaml").write_text(declared.replace("0 9 ", "0 10 "))
    monkeypatch.chdir(tmp_path)
    text = "".join(re.findall(r"```console\n(.*?)```", PAGE, re.DOTALL))
    shown = [part.partition("\n") for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]]

    assert len(shown) == 4
    for command, _, output in shown:
        printed = timegate(*shlex.split(command)[1:], columns=400).out
        pattern = ".*".join(map(re.escape, output.strip().split("…")))
        assert re.fullmatch(pattern, printed.strip(), re.DOTALL), printed
