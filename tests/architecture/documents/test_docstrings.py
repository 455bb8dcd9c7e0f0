"""Plain words: docstrings and comments begin with a verb or a noun of the glossary."""

import ast
import re
from collections.abc import Iterable, Iterator
from itertools import groupby
from pathlib import Path

from tests.architecture.sources import ROOT, name_of, nodes_of, text_of

#: Packages whose docstrings and comments are held.
HELD = [
    "app.py",
    "infra",
    "timegate_cdk",
    "layers/core/python/timegate",
    "functions",
    "bench",
    "examples",
    "tests",
]
#: Relative clauses: the reader has to find the thing meant behind them.
#: Indefinite persons are refused anywhere in a sentence (``test_words.py``).
OPENERS = re.compile(
    r"(What|As|Of|Who|Whom|Whose|Whether|Whatever"
    r"|Where|Wherever|When|Whenever|Which|Whichever|How|Why|Those|There)\b"
)
#: Openers that are refused in later sentences and in comments as well.
CLAUSES = re.compile(r"(What|As|Of|Who|Whom|Whose|Whether|Whatever)\b")
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[*`\"\[A-Z0-9(])")
_DESCRIBED = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


def held() -> Iterator[Path]:
    """Yield each module that is held to the rule."""
    for name in HELD:
        path = ROOT / name
        yield from sorted(path.rglob("*.py")) if path.is_dir() else [path]


def openings(nodes: Iterable[ast.AST]) -> set[str]:
    """Return the sentences of docstrings that open with a refused word."""
    found = (ast.get_docstring(node) or "" for node in nodes if isinstance(node, _DESCRIBED))
    return {sentence for doc in found for sentence in _refused(" ".join(doc.split()))}


def _refused(doc: str) -> Iterator[str]:
    """Yield the first sentence if it opens with any of ``OPENERS``, later ones by ``CLAUSES``."""
    first, *later = _SENTENCE.split(doc)
    yield from [first] if OPENERS.match(first) else []
    yield from (sentence for sentence in later if CLAUSES.match(sentence))


def comments(text: str) -> set[str]:
    """Return the sentences of comments of whole lines that open with a refused word."""
    groups = groupby(text.splitlines(), lambda line: line.lstrip().startswith("#"))
    blocks = (
        " ".join(line.strip().lstrip("#: ") for line in lines) for found, lines in groups if found
    )
    return {each for block in blocks for each in _SENTENCE.split(block) if CLAUSES.match(each)}


def test_a_docstring_names_its_thing_first() -> None:
    """A sentence that opens with a relative clause is read twice."""
    refused = {name_of(path): lines for path in held() if (lines := openings(nodes_of(path)))}

    assert refused == {}


def test_an_opener_is_found_in_every_kind_of_docstring() -> None:
    """The rule reads modules, classes and functions, and lets other words pass."""
    text = '''"""What a module is."""
class A:
    """Whether it asks."""
    async def b(self):
        """As it says."""
    def c(self):
        """Asks the store. When it is full, it raises. Of
        two, it takes one."""
'''

    assert openings(ast.walk(ast.parse(text))) == {
        "What a module is.",
        "Whether it asks.",
        "As it says.",
        "Of two, it takes one.",
    }


def test_a_comment_names_its_thing_first() -> None:
    """A comment is read beside its line, and still names it."""
    refused = {name_of(path): lines for path in held() if (lines := comments(text_of(path)))}

    assert refused == {}


def test_an_opener_is_found_in_every_sentence_of_a_comment() -> None:
    """The rule joins the lines of a comment."""
    text = "#: What it holds.\nA = 1\n    # It asks. Of\n    # two it takes one.\n    b = 2\n"

    assert comments(text) == {"What it holds.", "Of two it takes one."}
