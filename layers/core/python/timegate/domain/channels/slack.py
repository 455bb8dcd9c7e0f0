"""Slack: blocks of plain text, posted to an incoming web hook.

https://docs.slack.dev/reference/block-kit: at most 150 characters of a header, 10 fields of 2,000.
"""

import json
from typing import Any, ClassVar

from timegate.domain.channels.chat import ChatChannel
from timegate.domain.channels.notice import Fact, Notice, NoticeDelivery, shortened
from timegate.value_classes import dataclass

_MAX_HEADER = 150
_MAX_FIELDS = 10
#: Slack reads mentions and links between these, in any text.
_ENTITIES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})


@dataclass(frozen=True, kw_only=True, slots=True)
class SlackChannel(ChatChannel):
    """A channel of Slack, by the address of an incoming web hook, which is a secret."""

    type: ClassVar[str] = "slack"

    def delivery(self, notice: Notice) -> NoticeDelivery:
        """Return the message as blocks, and its headline for where blocks are not shown."""
        blocks: list[dict[str, Any]] = [
            {"type": "header", "text": _plain(notice.headline, _MAX_HEADER)}
        ]
        # A section without fields is refused.
        if notice.facts:
            fields = [_field(fact) for fact in notice.facts[:_MAX_FIELDS]]
            blocks.append({"type": "section", "fields": fields})
        if notice.link is not None:
            label = notice.link_label or "Open it in the console"
            link = {"type": "mrkdwn", "text": f"<{notice.link}|{label}>"}
            blocks.append({"type": "context", "elements": [link]})
        message = {"text": notice.headline.translate(_ENTITIES), "blocks": blocks}
        return NoticeDelivery(action=self.action, payload=json.dumps(message, ensure_ascii=False))


def _field(fact: Fact) -> dict[str, Any]:
    return _plain(f"{fact.label}\n{fact.text}")


def _plain(text: str, limit: int | None = None) -> dict[str, Any]:
    """A text in which no mark-up is read."""
    escaped = text.translate(_ENTITIES) if limit is None else _escaped(text, limit)
    return {"type": "plain_text", "text": escaped, "emoji": False}


def _escaped(text: str, limit: int) -> str:
    """Shorten a text until it has so many characters as it is sent: an ampersand takes five."""
    cuts = (shortened(text, length).translate(_ENTITIES) for length in range(limit, 0, -1))
    return next(each for each in cuts if len(each) <= limit)
