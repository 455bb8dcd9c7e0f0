"""Transcripts in documents: commands with their output, held to what the commands print now."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

_BLOCK = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
#: Text that differs from one day to the next, and the text that must still be there in its place.
_CHANGING = re.compile(
    r"(?P<id>\b[a-z2-7]{26}\b)"
    r"|(?P<short>\b[a-z2-7]{8}(?=\.[a-z]\d))"
    r"|(?P<compact>\d{8}T\d{4,9}Z?)"
    r"|(?P<moment>\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d{3})?)"
    r"|(?P<span>\d+ ms)"
)
_PATTERNS = {
    "short": r"[a-z2-7]{8}",
    "compact": r"\d{8}T\d{4,9}Z?",
    "moment": r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d{3})?",
    "span": r"[\d.]+ m?s",
}


@dataclass(frozen=True)
class Step:
    """A command and the output that the document promises."""

    command: str
    output: str


def steps(document: Path) -> Iterator[Step]:
    """Every command of a document's ``console`` blocks."""
    for block in _BLOCK.findall(document.read_text()):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, output = part.partition("\n")
            yield Step(command, output)


@dataclass
class Comparison:
    """Compares outputs, and learns which id of today stands for which id of the document."""

    #: From the document's ids to today's.
    ids: dict[str, str] = field(default_factory=dict)

    def translate(self, command: str) -> str:
        """The command with today's ids."""
        return re.sub("|".join(self.ids) or "(?!)", lambda found: self.ids[found[0]], command)

    def matches(self, promised: str, printed: str) -> bool:
        """Tell if a command printed the document's lines."""
        promise, lines = _lines(promised), _lines(printed)
        return len(promise) == len(lines) and all(map(self._line_matches, promise, lines))

    def _line_matches(self, promised: str, printed: str) -> bool:
        pattern, new, end = "", [], 0
        for found in _CHANGING.finditer(promised):
            pattern += re.escape(promised[end : found.start()])
            end = found.end()
            known = self._known(found[0])
            if known is not None:
                pattern += known
            elif found.lastgroup != "id":
                pattern += _PATTERNS[str(found.lastgroup)]
            else:
                pattern += "([a-z2-7]{26})"
                new.append(found[0])
        match = re.fullmatch(pattern + re.escape(promised[end:]), printed)
        if match is not None:
            self.ids |= dict(zip(new, match.groups(), strict=True))
        return match is not None

    def _known(self, text: str) -> str | None:
        """Today's id for one of the document, or for the beginning of one."""
        found = (now[: len(text)] for then, now in self.ids.items() if then.startswith(text))
        return next(found, None)


def _lines(text: str) -> list[str]:
    """Columns are as wide as their widest value today: runs of blanks count as one."""
    return [re.sub(r" +", " ", line.strip()) for line in text.strip().splitlines()]
