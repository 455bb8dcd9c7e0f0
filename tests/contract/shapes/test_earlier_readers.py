"""Items of this release are read by the one before it: a stage that is taken back has them."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.contract.shapes.known_kinds import KINDS
from tests.contract.shapes.written_items import fields_of, written
from tests.support.releases.earlier_release import NOT_IN_HISTORY, commit_before, lay_out

#: A program of the earlier release: it reads what it is given, and says how much of each kind.
READING = """\
import json
import sys

from tests.contract.shapes.written_items import KINDS, fields_of

counts = {}
for kind, found in json.load(sys.stdin).items():
    if kind in KINDS:
        records = [KINDS[kind].read(fields_of(item)) for item in found]
        counts[kind] = sum(each is not None for each in records)
json.dump(counts, sys.stdout)
"""


def records_in(kind: str, items: list[dict[str, Any]]) -> int:
    """Count what this release reads itself: a holder that has left is none."""
    return sum(KINDS[kind].read(fields_of(item)) is not None for item in items)


def test_items_of_this_release_are_read_by_the_one_before(tmp_path: Path) -> None:
    """Kinds that it does not know are none of its own; of all others it reads each item."""
    commit = commit_before()
    if commit is None:
        pytest.skip(NOT_IN_HISTORY)
    release = tmp_path / "release"
    lay_out(commit, release)
    items = json.loads(json.dumps(written(), default=sorted))
    done = subprocess.run(
        [sys.executable, "-c", READING],
        cwd=release,
        env={"PYTHONPATH": f"{release}:{release}/functions:{release}/layers/core/python"},
        input=json.dumps(items),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    read = json.loads(done.stdout)

    assert read == {kind: records_in(kind, items[kind]) for kind in read}
    assert read.keys() >= {"jobs", "attempts", "dag_runs", "slots"}
