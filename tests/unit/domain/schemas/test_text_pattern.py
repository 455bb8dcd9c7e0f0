"""Patterns of schemas: a part of ECMA-262 that takes linear time, whatever it is."""

import sys
from types import FrameType

import pytest

from timegate.domain.schemas.pattern_grammar import (
    MAX_GROUPS,
    MAX_PATTERN_LENGTH,
    MAX_TIMES,
    UnsupportedPattern,
)
from timegate.domain.schemas.text_pattern import MAX_POSITIONS, TextPattern


@pytest.mark.parametrize(
    ("pattern", "matching", "others"),
    [
        ("a", ["a", "bab"], ["", "b"]),
        ("^a", ["ab"], ["ba"]),
        ("a$", ["ba"], ["ab", "a\n"]),
        ("^a*$", ["", "aa"], ["ab"]),
        ("^(?:a|bc)d?$", ["a", "bcd"], ["b", "abc"]),
        ("^[A-Z]{3}-\\d{2,4}$", ["EUR-12", "EUR-1234"], ["EUR-1", "EUR-12345", "eur-12"]),
        ("^a{2,}$", ["aa", "aaaa"], ["a"]),
        ("^[^a-c]$", ["d", "\n"], ["b", ""]),
        ("^.$", ["a", "\U0001f600"], ["\n", ""]),
        ("^\\w\\s\\S\\W\\D$", ["_\u00a0x-x"], ["ä x-x", "_ xxx", "_ x-1"]),
        ("^[\\d.-]+$", ["1.5-"], ["a"]),
        ("^\\^\\$\\.\\/$", ["^$./"], ["^$./."]),
        ("\\$", ["a$b"], ["a"]),
        ("\\\\$", ["a\\"], ["a$"]),
        ("a?", ["", "b"], []),
        ("^(a|bc)$", ["a", "bc"], ["abc"]),
        ("^(?:a+)+$", ["aaa"], ["aaab"]),
    ],
)
def test_texts_match_as_in_ecma_262(pattern: str, matching: list[str], others: list[str]) -> None:
    """Anywhere in the text, unless the pattern says where."""
    read = TextPattern(pattern)

    assert [text for text in (*matching, *others) if read.matches(text)] == matching


@pytest.mark.parametrize(
    "pattern",
    [
        *("(", ")", "(a", "[", "[a", "[]", "a{", "a{1", "a{x}", "{2}", "*", "a**", "a+?", "()"),
        "a|",
        *("(?=a)", "(?!a)", "(?<n>a)", "(a)\\1", "\\b", "\\p{L}", "\\x41", "\\", "a^b", "a$b"),
        *("^a|b$", "[b-a]", "a{2,1}", "a{0}", "a{0,0}", "", "^$", "a{1,2"),
    ],
)  # fmt: skip
def test_parts_that_take_a_step_back_or_say_nothing_are_refused(pattern: str) -> None:
    """With one sentence each."""
    with pytest.raises(UnsupportedPattern, match=r"\.|\$$"):
        TextPattern(pattern)


@pytest.mark.parametrize(
    ("widest", "too_wide"),
    [
        ("a" * MAX_POSITIONS, "a" * (MAX_POSITIONS + 1)),
        (f"a{{{MAX_TIMES}}}", f"a{{{MAX_TIMES + 1}}}"),
        (f"(?:ab){{{MAX_POSITIONS // 2}}}", f"(?:abc){{{MAX_POSITIONS // 2}}}"),
        ("(" * MAX_GROUPS + "a" + ")" * MAX_GROUPS, "(" * 11 + "a" + ")" * 11),
        ("[" + "a" * (MAX_PATTERN_LENGTH - 2) + "]", "[" + "a" * (MAX_PATTERN_LENGTH - 1) + "]"),
    ],
    ids=["parts", "times", "parts repeated", "groups", "characters"],
)
def test_patterns_are_so_large_and_no_larger(widest: str, too_wide: str) -> None:
    """Repetitions by a number are written out."""
    TextPattern(widest)

    with pytest.raises(UnsupportedPattern, match=r"at most|more than"):
        TextPattern(too_wide)


def test_repetitions_of_repetitions_end_early() -> None:
    """They would be a million parts; the 129th is refused."""
    with pytest.raises(UnsupportedPattern, match="more than 128 parts"):
        TextPattern("(?:(?:a{100}){100}){100}")


def test_a_pattern_that_ruins_others_is_harmless() -> None:
    """Each character of the text is read once: a matcher that steps back would never end."""
    assert not TextPattern("^(?:(?:a|a)+)+$").matches("a" * 5_000 + "b")
    assert not TextPattern("^(?:a?){60}a{60}$").matches("a" * 59)
    assert TextPattern("^(?:a?){60}a{60}$").matches("a" * 60)


@pytest.mark.parametrize("times", [1, 64, MAX_TIMES])
def test_a_rare_character_takes_each_part_as_it_is_written_once(times: int) -> None:
    """Parts written out, and ranges in each, would make a check take seconds."""
    pattern = TextPattern(f"[{'b-df-hj-l' * 20}]{{{times}}}$")
    rare = "".join(map(chr, range(0x3000, 0x3000 + 2_000)))

    assert _calls_of(pattern, rare) < 10 * len(rare)


def _calls_of(pattern: TextPattern, text: str) -> int:
    """Count the Python calls of a match, generators' steps among them."""
    calls = 0

    def count(_: FrameType, event: str, __: object) -> None:
        nonlocal calls
        calls += event == "call"

    sys.setprofile(count)
    try:
        pattern.matches(text)
    finally:
        sys.setprofile(None)
    return calls
