"""Courses of tests: the short one of ``make test``, the wide one, and the deep ones of a release.

Each has all tests of the course before it. A mark names the first course that has a test; one
without a mark belongs to all. A module of which a course has no test is not even imported.
"""

import os
import re
from enum import IntEnum
from pathlib import Path

import pytest

_WHOLE_MODULE = re.compile(r"^pytestmark = pytest\.mark\.(wide|deep)$", re.MULTILINE)


class Course(IntEnum):
    """A choice of tests; a later one has more."""

    #: ``make test``: tests without a mark, and few cases of those that have any number.
    SHORT = 0
    #: ``make wide``: tests that are marked ``wide`` too, and more cases.
    WIDE = 1
    #: Courses of ``make test-deep``: all tests.
    DEEP = 2


#: By the names of marks, and of ``TIMEGATE_COURSE``.
NAMES = {course.name.lower(): course for course in Course}
#: The course of this process.
COURSE = NAMES[os.environ.get("TIMEGATE_COURSE") or "short"]


def first_course(item: pytest.Item) -> Course:
    """Return the shortest course that has a test."""
    marks = (NAMES[mark.name] for mark in item.iter_markers() if mark.name in NAMES)
    return max(marks, default=Course.SHORT)


def passes_over(module: Path, course: Course) -> bool:
    """Say, from its text alone, that the course has none of the module's tests."""
    if course is Course.DEEP or not module.name.startswith("test_"):
        return False
    whole = _WHOLE_MODULE.search(module.read_text())
    return whole is not None and NAMES[whole.group(1)] > course
