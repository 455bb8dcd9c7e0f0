"""No text makes a regular expression of the product work longer than its length allows.

Processor time is compared with that of a plain scan of the same text, so the machine's speed and
its other work do not matter.
"""

import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import cache, partial
from typing import Any

import pytest

from tests.examples import ALL
from tests.support.values import effort
from tests.support.values.attack_texts import attack_texts
from tests.support.values.effort import least
from tests.support.values.pattern_census import (
    Found,
    Site,
    compiled,
    imports_from_re,
    methods_called,
    sites,
)
from timegate.domain.values.credential_rules import CREDENTIALS, SPOKEN
from timegate.domain.values.plaintext import PlaintextSecret, refuse_plaintext
from timegate.domain.values.redaction import redact

#: A pattern may take so many times what a scan takes that looks at each character once.
BUDGET = 200
#: All rules for credentials together, some forty patterns.
BUDGET_OF_RULES = 2_000
#: The size at which the hardest texts are tried.
FULL_SIZE = 1_000_000 if ALL else 100_000
#: Characters of the text that is scanned for comparison.
SCANNED = 1_000_000
SIZE_FOR_RULES = 30_000
#: Smaller texts come first: a pattern that is not linear fails on one of them.
SIZES = (100, 1_000, 10_000, FULL_SIZE)
#: So many of the texts that were hardest are tried at a size; all are at others.
HARDEST = {10_000: None if ALL else 8, FULL_SIZE: 2}
#: Less than that is lost in the clock's own cost.
LEAST_SECONDS = 0.004
_PLAIN = re.compile(r"(?<!\x00)\x00")
#: Sites that the source names in no variable, and how they meet text. Every other one is tried in
#: the hardest way.
KNOWN_USES = {
    # PyYAML asks each of its resolvers for a match at the beginning of a scalar.
    "layers/core/python/timegate/cli/reading/yaml_reading.py:compile": {"match"},
    # The table of routes: paths are compared as a whole.
    "functions/api/app.py:compile": {"fullmatch"},
}
#: Patterns that never meet outside text, and why.
NEVER_MET: dict[str, str] = {}
#: Texts that a person wrote.
HAND_MADE = (
    *("-eyJ-", "-eyJ-.", "eyJaaaaaaaaaa.", "sk-", "sk-T3BlbkFJ", "-M", "M-N-O-", "ghp_", "-----"),
    *("-----BEGIN PRIVATE KEY-----", "-----BEGIN " + "A" * 40, "a://", "a://b:c", "://", "a:b@"),
    *("Basic ", "Bearer ", "Basic AAAAAAA/", "password=", "secret_key:", "AccountKey=", "t=1,v1="),
    *(" ", "\t\n", "a", "A", "0", "_", "é", "\\", '"', "{", "<", "[redacted", "*", "x", "%s", "${"),
    *("application/json ", ";charset=", "T00:00:00.0", "1ms", "0x", "..", "--", "/a", "\x7f"),
)


def seconds_of(work: Callable[[], object], enough: float) -> float:
    """The processor time of the best of three tries; fewer if one takes at most ``enough``."""
    return least(partial(effort.seconds_of, work), 3, enough)


@cache
def seconds_per_character() -> float:
    """The cost of a plain scan."""
    text = "word " * (SCANNED // 5)

    return min(seconds_of(lambda: list(_PLAIN.finditer(text)), 0) for _ in range(3)) / len(text)


def load_of(work: Callable[[], object], text: str, budget: int) -> float:
    """Return the work's cost as a multiple of a plain scan of the text."""
    plain = max(seconds_per_character() * len(text), LEAST_SECONDS / budget)

    return seconds_of(work, plain * budget / 2) / plain


@cache
def pattern_of(found: Found) -> re.Pattern[Any]:
    """The pattern itself."""
    return re.compile(found.pattern if found.of_text else found.pattern.encode(), found.flags)


@cache
def ways_of(found: Found) -> set[str]:
    """Return the ways in which it meets text: those in the source, or else the hardest one."""
    site = found.site
    if site.use != "compile":
        return {site.use}
    # Constants have names that say enough; of other names there are several.
    named = methods_called().get(site.name) if site.name and site.name.isupper() else None
    return named or KNOWN_USES.get(site.place) or {"search"}


def apply(found: Found, text: str) -> None:
    """Meet a text as the product does."""
    pattern, subject = pattern_of(found), text if found.of_text else text.encode()
    for way in ways_of(found) & {"match", "fullmatch"}:
        getattr(pattern, way)(subject)
    if ways_of(found) - {"match", "fullmatch"}:
        for _ in pattern.finditer(subject):
            pass


@cache
def every_pattern() -> dict[str, Found]:
    """Compiled ones, and those that are given as text where they are used."""
    direct = [
        Found(site=site, pattern=site.pattern, flags=re.compile(site.pattern).flags, of_text=True)
        for site in sites()
        if site.use != "compile" and site.pattern is not None
    ]
    shapes = {_shape(each): each for each in [*compiled(), *direct]}
    return {
        f"{each.site.file}:{each.site.line}:{number}": each
        for number, each in enumerate(shapes.values())
    }


def _shape(found: Found) -> tuple[Site, str]:
    """Paths of routes differ in their words alone: one of each shape is tried."""
    is_route = found.site.place == "functions/api/app.py:compile"
    return found.site, re.sub("[a-z]+", "a", found.pattern) if is_route else found.pattern


def test_every_site_is_known() -> None:
    """A pattern that is made while the product runs has to be tried by a test of its own."""
    known = {each.site for each in every_pattern().values()}
    unknown = [site.place for site in sites() if site not in known]

    assert imports_from_re() == []
    assert unknown == []
    assert {*KNOWN_USES, *NEVER_MET} <= {site.place for site in sites()}


def beyond_budget(found: Found) -> tuple[int, str] | None:
    """The first text on which a pattern works too long, with its size; ``None``: there is none."""
    loads: list[tuple[float, int]] = []
    for size in SIZES:
        hardest = {index for _, index in sorted(loads, reverse=True)[: HARDEST.get(size)]}
        is_first, loads = not loads, []
        for index, text in enumerate(attack_texts(found.pattern, found.flags, size)):
            if not is_first and index not in hardest:
                continue
            load = load_of(partial(apply, found, text), text, BUDGET)
            if load >= BUDGET:
                return size, text[:80]
            loads.append((load, index))
    return None


def test_a_pattern_is_linear() -> None:
    """In the length of any text, those made against it included."""
    tried = {
        name: beyond_budget(found)
        for name, found in every_pattern().items()
        if found.site.place not in NEVER_MET
    }

    assert len(tried) > 50
    assert {name: worst for name, worst in tried.items() if worst} == {}


@pytest.mark.parametrize("pattern", [r"\d+-", "<[^>]*>", r"(.*),(.*),(.*)x$"])
def test_a_pattern_that_is_not_linear_is_found(pattern: str) -> None:
    """One that reads the same characters again from each place fails on texts made against it."""
    site = replace(next(iter(sites())), use="search", pattern=pattern)

    assert beyond_budget(Found(site=site, pattern=pattern, flags=0, of_text=True)) is not None


def test_looking_for_credentials_is_linear() -> None:
    """All rules together, each of whose hints is there."""
    hints = " ".join(hint for rule in (*CREDENTIALS, *SPOKEN) for hint in rule.hints)

    def load_on(unit: str) -> float:
        text = f"{hints} {unit * (SIZE_FOR_RULES // len(unit))}\x7f"

        def work() -> None:
            redact(text)
            with suppress(PlaintextSecret):
                refuse_plaintext({text[:100]: text})

        return load_of(work, text, BUDGET_OF_RULES)

    loads = {unit: load_on(unit) for unit in HAND_MADE}

    assert {unit: load for unit, load in loads.items() if load >= BUDGET_OF_RULES} == {}
