"""Each test belongs to a course that some target of the Makefile runs."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.architecture.sources import ROOT, name_of, text_of, tree_of
from tests.courses import NAMES, Course, passes_over

MODULES = sorted((ROOT / "tests").rglob("test_*.py"))
MAKEFILE = text_of(ROOT / "Makefile")


def course_of(node: ast.AST) -> Course | None:
    """Read the mark from a decorator, or from what a module assigns to ``pytestmark``."""
    found = re.findall(r"\bpytest\.mark\.(wide|deep)\b", ast.unparse(node))
    return NAMES[found[0]] if found else None


def courses_of(module: Path) -> Iterator[Course]:
    """Name the course of each test of a module; parameters may have a later one."""
    tree = tree_of(module)
    assigned = (each for each in tree.body if isinstance(each, ast.Assign))
    whole = next((course_of(e) for e in assigned if ast.unparse(e).startswith("pytestmark")), None)
    for each in tree.body:
        if isinstance(each, ast.FunctionDef) and each.name.startswith("test_"):
            own = next(filter(None, map(course_of, each.decorator_list)), None)
            yield whole or own or Course.SHORT
        elif (
            isinstance(each, ast.ClassDef | ast.Assign)
            and "test_" in ast.unparse(each)[:100].lower()
        ):
            yield whole or Course.SHORT


@pytest.mark.parametrize("course", [Course.SHORT, Course.WIDE])
def test_no_module_with_a_test_of_the_course_is_passed_over(course: Course) -> None:
    passed_over = [module for module in MODULES if passes_over(module, course)]

    assert passed_over
    assert [name_of(e) for e in passed_over if min(courses_of(e)) <= course] == []


def test_a_course_of_the_makefile_runs_each_deep_test() -> None:
    """A deep test outside of the folders of these targets would never run."""
    stacks = re.search(r"^STACKS := (\S+)", MAKEFILE, re.MULTILINE)
    assert stacks is not None
    lines = [line for line in MAKEFILE.splitlines() if line.startswith("\t$(DEEP)")]
    folders = {each for line in lines for each in re.findall(r"\btests/\S+", line)}
    folders |= {stacks.group(1) for line in lines if "$(STACKS)" in line}
    marked = [e for e in MODULES if "mark.deep" in text_of(e)]
    deep = [e for e in marked if Course.DEEP in set(courses_of(e))]

    assert deep
    assert [name_of(e) for e in deep if not name_of(e).startswith(tuple(folders))] == []


def test_each_landing_passes_the_command_of_the_readme() -> None:
    lines = text_of(ROOT / ".ci" / "run").splitlines()

    assert "\nmake test " in text_of(ROOT / "README.md")
    assert [line for line in lines if line.startswith("make ")] == ["make test"]


def test_each_unit_test_is_in_one_half_of_make_check() -> None:
    """A folder that one half leaves out is one that the other has."""
    halves = [line for line in MAKEFILE.splitlines() if line.startswith("\t$(HALF) ")]
    left_out = [folder for line in halves for folder in re.findall(r"--ignore (\S+)", line)]
    named = [folder for line in halves for folder in re.findall(r"(?<!--ignore )\btests/\S+", line)]

    assert sorted(named) == sorted(["tests/architecture", "tests/unit", *left_out])


def test_a_release_with_a_known_advisory_is_stopped() -> None:
    """Each lock file is compared, and nothing shipped is on a list of its own."""
    (courses,) = re.findall(r"^COURSES := (.+)$", MAKEFILE, re.MULTILINE)
    recipe = MAKEFILE.partition("\nadvisories: install")[2].partition("\n\n")[0].splitlines()[1:]
    checks = {"uv.lock": "uv audit", "package-lock.json": "npm audit"}
    locked = [
        each.relative_to(ROOT)
        for name in checks
        for each in (ROOT / name, *ROOT.glob(f"[a-z]*/{name}"))
        if each.is_file()
    ]
    asked = {
        (line.partition("cd ")[2].split(" ")[0] or ".", check)
        for line in recipe
        for check in checks.values()
        if check in line
    }

    assert "advisories" in courses.split()
    assert {(str(each.parent), checks[each.name]) for each in locked} == asked
    assert "`make advisories`" in text_of(ROOT / "SECURITY.md")


def test_each_release_passes_the_wide_course() -> None:
    """Tests marked ``wide`` outside of the folders of deep courses run there alone."""
    (courses,) = re.findall(r"^COURSES := (.+)$", MAKEFILE, re.MULTILINE)
    (recipe,) = re.findall(r"^wide:.*\n\t(.+)$", MAKEFILE, re.MULTILINE)

    assert "wide" in courses.split()
    assert recipe == "$(MAKE) --no-print-directory test COURSE=wide"
