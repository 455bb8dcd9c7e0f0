"""Plain words in documentation: sentences name their actor, and begin with a verb or a noun."""

import re
from collections.abc import Iterator
from pathlib import Path

from infra.pages.decision_index import records

ROOT = Path(__file__).resolve().parents[3]
DOCS = ROOT / "docs"
_OPENERS = re.compile(r"(?:What|As|Of|Who|Whom|Whose|Whether|Whoever|Whatever)\b")
_PERSONS = re.compile(
    r"\b(?:nobody|somebody|everybody|anybody|whoever|whomever|someone|anyone|everyone)\b",
    re.IGNORECASE,
)
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
    """``nobody`` and ``whoever`` stand for planner, worker, caller or operator."""
    found = {
        f"{page.relative_to(ROOT)}: {sentence[:80]}"
        for page in pages()
        for sentence in sentences(page.read_text())
        if _PERSONS.search(sentence)
    }

    assert found == set()


def test_code_names_its_actors() -> None:
    """Comments, docstrings and messages are read as pages are; the client's schemas are derived."""
    found = {
        f"{path.relative_to(ROOT)}: {line.strip()[:80]}"
        for path in _sources()
        for line in path.read_text().splitlines()
        if _PERSONS.search(line)
    }

    assert found == set()


def _sources() -> Iterator[Path]:
    """Yield modules of the product, its infrastructure, examples and measurements."""
    for folder in [
        "layers/core/python/timegate",
        "functions",
        "infra",
        "timegate_cdk",
        "bench",
        "examples",
    ]:
        yield from sorted((ROOT / folder).rglob("*.py"))
    for ending in ["ts", "tsx"]:
        yield from sorted((ROOT / "console/src").rglob(f"*.{ending}"))


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
        if _OPENERS.match(text) or _PERSONS.search(text)
    }

    assert found == set()
