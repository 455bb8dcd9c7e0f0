"""Files for contributors say what holds: they parse, and name files and tools that exist."""

import json
import re
import tomllib
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parents[3]


def test_hooks_run_tools_of_the_lock_file() -> None:
    """Hooks download nothing, and a hook cannot disagree with ``make check``."""
    hooks = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text())["repos"]
    tools = [Path(each["entry"].split()[0]).name for repo in hooks for each in repo["hooks"]]
    locked = {each["name"] for each in tomllib.loads((ROOT / "uv.lock").read_text())["package"]}

    assert {repo["repo"] for repo in hooks} == {"local"}
    assert tools == ["ruff", "ruff", "mypy", "lint-imports"]
    assert {"ruff", "mypy", "import-linter"} <= locked


def test_the_container_has_what_the_project_asks_for() -> None:
    """The oldest Python that is supported, Node.js 20, and everything installed."""
    container = json.loads((ROOT / ".devcontainer" / "devcontainer.json").read_text())
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    (node,) = (value for name, value in container["features"].items() if "/node:" in name)

    assert project["requires-python"] == ">=" + container["image"].rpartition(":")[2]
    assert node == {"version": "20"}
    assert container["postCreateCommand"] == "make install"


def test_issue_templates_ask_for_something() -> None:
    """GitHub shows a form with a name, a description and fields."""
    forms = sorted((ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml"))
    read = {path.stem: yaml.safe_load(path.read_text()) for path in forms}

    assert read.pop("config") == {"blank_issues_enabled": False}
    assert set(read) == {"bug", "feature"}
    for form in read.values():
        assert form["name"]
        assert form["description"]
        assert any(field["type"] == "textarea" for field in form["body"])


def test_security_names_pages_that_exist() -> None:
    """Reports go to GitHub; the page invents no address."""
    page = (ROOT / "SECURITY.md").read_text()
    linked = re.findall(r"\]\(([^)]+)\)", page)

    assert linked
    assert all((ROOT / each).is_file() for each in linked)
    assert "private vulnerability reporting" in page
    assert "@" not in page
    assert "http" not in page


def test_editors_are_told_the_formatters_line() -> None:
    """One width of line for the editor and the formatter."""
    tool = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]

    assert (
        f"max_line_length = {tool['ruff']['line-length']}" in (ROOT / ".editorconfig").read_text()
    )
