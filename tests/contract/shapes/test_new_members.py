"""Values that the release before cannot read are named where operators look before going back."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from infra.local.deployment import ROOT
from tests.support.releases.earlier_release import NOT_IN_HISTORY, commit_before, lay_out

#: A program of either release: it names the members of every enumeration of the domain.
NAMING = """\
import json
import sys
from enum import Enum
from importlib import import_module
from pkgutil import walk_packages

import timegate.domain

members = {}
for module in walk_packages(timegate.domain.__path__, "timegate.domain."):
    for name, found in vars(import_module(module.name)).items():
        if isinstance(found, type) and issubclass(found, Enum) and found.__module__ == module.name:
            members[name] = [each.value for each in found if isinstance(each.value, str)]
json.dump(members, sys.stdout)
"""
#: Enumerations of which no item has a member: answers compute the one, archives list the other.
NOT_STORED = {"AdviceCode", "RecordKind"}


def members(root: Path) -> dict[str, set[str]]:
    """Return the members of the enumerations of a checkout."""
    done = subprocess.run(
        [sys.executable, "-c", NAMING],
        cwd=root,
        env={"PYTHONPATH": f"{root}/layers/core/python"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return {name: set(each) for name, each in json.loads(done.stdout).items()}


def test_the_way_back_names_each_value_that_is_new(tmp_path: Path) -> None:
    """An item that has one is unreadable for the release before."""
    commit = commit_before()
    if commit is None:
        pytest.skip(NOT_IN_HISTORY)
    lay_out(commit, tmp_path / "release")
    before, now = members(tmp_path / "release"), members(ROOT)
    known = before.keys() & now.keys() - NOT_STORED
    new = {each for name in known for each in now[name] - before[name]}
    page = (ROOT / "docs/upgrading.md").read_text().partition("## The release before\n")[2]
    section = page.partition("\n## ")[0]

    assert {each for each in new if f"`{each}`" not in section} == set()
