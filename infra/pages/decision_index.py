"""The index of decision records, written from their heads."""

import re
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "decisions"
PAGE = FOLDER / "index.md"

_HEAD = re.compile(
    r"# (?P<number>\d+)\. (?P<title>.+)\n\n"
    r"- Status: (?P<status>holds|superseded by \d+)\n"
    r"- Date: (?P<date>\d{4}-\d\d-\d\d)\n"
    r"- Outcome: (?P<outcome>.+\.)\n"
)
_INTRODUCTION = """# Decisions

`make decisions` writes this page from the heads of the records. A record that holds says what
holds of its subject today: a later decision that changes a rule edits the record of the rule. A
superseded record names the one that took its subject over. A new subject takes the next free
number.
"""


@dataclass(frozen=True, kw_only=True, order=True)
class Record:
    """A decision record, by the lines at its head."""

    number: int
    #: The record's file, in the folder of records.
    path: Path
    title: str
    #: `holds` or `superseded by N`; no record amends another one.
    status: str
    outcome: str

    @property
    def successor(self) -> int | None:
        """The number of the record that supersedes this one; ``None``: this one holds."""
        number = re.search(r"\d+", self.status)
        return int(number[0]) if number is not None else None


class HeadMissing(ValueError):
    """A record does not begin with title, status, date and outcome."""

    def __init__(self, path: Path) -> None:
        super().__init__(
            f"{path.name}: begin with '# N. Title', an empty line, and the lines "
            "'- Status: holds' (or superseded by N), '- Date: YYYY-MM-DD' and "
            "'- Outcome: One sentence.'; edit the record whose rule a decision changes"
        )


def records() -> list[Record]:
    """Every record, by number. Raises `HeadMissing`."""
    return sorted(_record(path) for path in FOLDER.glob("[0-9]*.md"))


def page() -> str:
    """The index as Markdown."""
    found = records()
    names = {each.number: each.path.name for each in found}
    rows = [
        f"| {each.number} | [{each.title}]({each.path.name}) | {_linked(each.status, names)} "
        f"| {each.outcome} |"
        for each in found
    ]
    return "\n".join(
        [_INTRODUCTION, "| | decision | status | outcome |", "|---|---|---|---|", *rows, ""]
    )


def _record(path: Path) -> Record:
    head = _HEAD.match(path.read_text())
    if head is None:
        raise HeadMissing(path)
    return Record(
        number=int(head["number"]),
        path=path,
        title=head["title"],
        status=head["status"],
        outcome=head["outcome"],
    )


def _linked(status: str, names: dict[int, str]) -> str:
    return re.sub(r"\d+", lambda number: f"[{number[0]}]({names[int(number[0])]})", status)


if __name__ == "__main__":
    PAGE.write_text(page())
