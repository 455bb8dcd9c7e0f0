"""Notices, as channels are told them: a document for programs, and words for people."""

from timegate.domain.actions.kind import ActionKind
from timegate.value_classes import dataclass

#: A text of a user's is cut to so many characters, where a person reads it.
MAX_WORDS = 300
#: Stands for the link of an approval, until a message is sent; no host has this name (RFC 6761).
LINK_PLACE = "https://approval-link.invalid/"
_ELLIPSIS = "…"


@dataclass(frozen=True, kw_only=True, slots=True)
class Fact:
    """A line of a message: its label, and a text that a user may have written."""

    label: str
    text: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Notice:
    """Something that happened, as channels are told it."""

    #: Such as ``run.failed``.
    type: str
    #: JSON text: programs read it.
    document: str
    #: A sentence without its full stop: a person reads it first, or alone.
    headline: str
    facts: tuple[Fact, ...] = ()
    #: A page about it; ``None``: there is none.
    link: str | None = None
    #: Purpose of the page; ``None``: the run is shown there.
    link_label: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class NoticeDelivery:
    """The call that tells a notice: an action, and its payload."""

    action: ActionKind
    payload: str


def shortened(text: str, limit: int = MAX_WORDS) -> str:
    """Return a text on one line, without control characters, of at most ``limit`` characters."""
    line = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return line if len(line) <= limit else line[: limit - 1].rstrip() + _ELLIPSIS


def as_words(notice: Notice) -> str:
    """Return a notice as lines of plain text, for mail."""
    lines = [notice.headline, ""]
    lines += [f"{fact.label}: {fact.text}" for fact in notice.facts]
    if notice.link is not None:
        lines += ["", notice.link]
    return "\n".join(lines)
