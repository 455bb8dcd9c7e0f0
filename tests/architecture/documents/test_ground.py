"""Files that a checkout must carry before a contributor may use it."""

import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]


def test_the_licence_that_the_package_names_is_there() -> None:
    """A package that names a licence carries its text."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    text = (ROOT / project["license-files"][0]).read_text()

    assert project["license"] == "Apache-2.0"
    assert "Apache License" in text
    assert "TERMS AND CONDITIONS FOR USE, REPRODUCTION, AND DISTRIBUTION" in text


def test_changes_are_listed() -> None:
    """The changelog has a place for what is not released yet."""
    assert "\n## Unreleased\n" in (ROOT / "CHANGELOG.md").read_text()
