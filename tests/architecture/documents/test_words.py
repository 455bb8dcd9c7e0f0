"""Plain words: sentences name their actor, and begin with a verb or a noun."""

import re
from collections.abc import Iterator
from pathlib import Path

from infra.pages.decision_index import records
from tests.architecture.sources import ROOT, name_of, text_of

DOCS = ROOT / "docs"
_OPENERS = re.compile(r"(?:What|As|Of|Who|Whom|Whose|Whether|Whoever|Whatever)\b")
#: Also within names: of tests, constants and fixtures.
_WITHIN = (
    *("nobody", "somebody", "everybody", "anybody"),
    *("whoever", "whomever", "someone", "anyone", "everyone"),
)
_PERSONS = re.compile("|".join([*_WITHIN, r"\bno one\b(?!-)"]), re.IGNORECASE)
#: This module lists the words.
_THIS = Path(__file__).resolve()
#: The aim is twenty; what has more than this is two sentences.
WORDS = 40
_CODE = re.compile(r"^ *```.*?^ *```|<!--.*?-->", re.MULTILINE | re.DOTALL)
_BLOCK = re.compile(r"\n\s*\n|\n(?=\s*(?:[-*]|\d+\.) )|\n(?=\|)|\n(?=#)|(?<=\|)\n")


def pages() -> Iterator[Path]:
    """Pages that people read from the beginning; records of decisions are history."""
    yield from (ROOT / f"{name}.md" for name in ["README", "CONTRIBUTING", "SECURITY"])
    for page in sorted(DOCS.rglob("*.md")):
        if page.parent.name != "decisions":
            yield page


def sentences(text: str) -> Iterator[str]:
    """Sentences of paragraphs, headings, items and cells, without their marks."""
    for block in _BLOCK.split(_CODE.sub("", text)):
        for cell in block.strip().strip("|").split("|") if block.startswith("|") else [block]:
            plain = re.sub(r"^\s*(?:#+|[-*]|\d+\.) ", "", " ".join(cell.split()))
            for sentence in re.split(r"(?<=[.!?:;])\*{0,2} +(?=[*`\"\[A-Z0-9(])", plain):
                yield sentence.strip('*_ "[(')


def test_a_sentence_does_not_begin_with_a_relative_clause() -> None:
    """``What``, ``As``, ``Of``, ``Who`` and ``Whether`` hide the actor of a sentence."""
    found = {
        f"{page.relative_to(ROOT)}: {sentence[:80]}"
        for page in pages()
        for sentence in sentences(page.read_text())
        if _OPENERS.match(sentence)
    }

    assert found == set()


def test_a_sentence_names_its_actor() -> None:
    """``nobody`` and ``whoever`` stand for planner, worker, caller or operator.

    Records of decisions name theirs as well, and so does the change log.
    """
    found = {
        f"{page.relative_to(ROOT)}: {sentence[:80]}"
        for page in [ROOT / "CHANGELOG.md", *pages(), *(DOCS / "decisions").glob("*.md")]
        for sentence in sentences(page.read_text())
        if _PERSONS.search(re.sub(r"`[^`]*`", "", sentence))
    }

    assert found == set()


def test_code_and_tests_name_their_actors() -> None:
    """Comments, docstrings, messages and names of tests are read as pages are."""
    found = {
        f"{name_of(path)}: {line}" for path in _sources() for line in indefinite(text_of(path))
    }

    assert found == set()


def test_an_indefinite_person_is_found_in_a_docstring_a_comment_and_a_name() -> None:
    """The rule reads each line of a module."""
    text = '''"""Stores that nobody else uses."""
STRANGER = NOBODY
def test_whoever_comes_second_loses() -> None:
    # No one looks.
    assert planner
'''

    assert len(indefinite(text)) == 4


def indefinite(text: str) -> list[str]:
    """Return the lines that name an indefinite person, cut to 80 characters."""
    # Most texts have none: a plain search says so in a tenth of the time.
    lowered = text.lower()
    if not any(word in lowered for word in (*_WITHIN, "no one")):
        return []
    return [line.strip()[:80] for line in text.splitlines() if _PERSONS.search(line)]


def _sources() -> Iterator[Path]:
    """Yield modules of the product, its infrastructure, examples, measurements and tests."""
    yield ROOT / "app.py"
    for folder in [
        "layers/core/python/timegate",
        "functions",
        "infra",
        "timegate_cdk",
        "bench",
        "examples",
        "tests",
    ]:
        yield from (path for path in sorted((ROOT / folder).rglob("*.py")) if path != _THIS)
    for folder in ["src", "tests"]:
        for ending in ["ts", "tsx"]:
            yield from sorted((ROOT / "console" / folder).rglob(f"*.{ending}"))


def test_a_sentence_is_short() -> None:
    """A long sentence is read twice. Cells of tables may be lists."""
    found = {
        f"{page.relative_to(ROOT)}: {sentence[:80]}"
        for page in pages()
        for sentence in sentences(re.sub(r"^\|.*$", "", page.read_text(), flags=re.MULTILINE))
        if len(sentence.split()) > WORDS
    }

    assert found == set()


def test_titles_and_outcomes_of_decisions_are_plain() -> None:
    """The index of decisions is read as a page."""
    found = {
        each.number
        for each in records()
        for text in [each.title, each.outcome]
        if _OPENERS.match(text)
    }

    assert found == set()
