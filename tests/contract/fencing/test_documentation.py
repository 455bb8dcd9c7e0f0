"""The guards in the documentation are the guards that are tested."""

import re
from pathlib import Path

from examples.fencing.dynamodb_guard import MAY_DO
from examples.fencing.postgresql_guard import DONE, ENTER

PAGE = (Path(__file__).resolve().parents[3] / "docs" / "concepts" / "fencing.md").read_text()


def test_the_page_shows_what_is_tested() -> None:
    """Statement by statement, and the condition."""
    blocks = [block.strip() for block in re.findall(r"```\w*\n(.*?)```", PAGE, re.DOTALL)]

    assert blocks == [ENTER.strip(), DONE, MAY_DO]
