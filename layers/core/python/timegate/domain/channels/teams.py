"""Teams: an Adaptive Card, posted to the web hook of a workflow.

https://learn.microsoft.com/power-automate/teams/teams-adaptive-cards: a message has cards as
attachments. Teams reads Markdown in text blocks and facts, and none in rich text.
"""

import json
from typing import Any, ClassVar

from timegate.domain.channels.chat import ChatChannel
from timegate.domain.channels.notice import Notice, NoticeDelivery
from timegate.value_classes import dataclass

_SCHEMA = "http://adaptivecards.io/schemas/adaptive-card.json"
#: Every client of Teams shows it.
_VERSION = "1.4"
_CARD = "application/vnd.microsoft.card.adaptive"


@dataclass(frozen=True, kw_only=True, slots=True)
class TeamsChannel(ChatChannel):
    """A channel or chat of Teams, by the address of a workflow's web hook, which is a secret."""

    type: ClassVar[str] = "teams"

    def delivery(self, notice: Notice) -> NoticeDelivery:
        """Return the message as a card."""
        card: dict[str, Any] = {
            "$schema": _SCHEMA,
            "type": "AdaptiveCard",
            "version": _VERSION,
            "body": [
                _rich(_run(notice.headline, weight="bolder", size="medium")),
                *(
                    _rich(_run(f"{fact.label}: ", weight="bolder"), _run(fact.text))
                    for fact in notice.facts
                ),
            ],
        }
        if notice.link is not None:
            title = notice.link_label or "Open in the console"
            opens = {"type": "Action.OpenUrl", "title": title, "url": notice.link}
            card["actions"] = [opens]
        message = {
            "type": "message",
            "attachments": [{"contentType": _CARD, "contentUrl": None, "content": card}],
        }
        return NoticeDelivery(action=self.action, payload=json.dumps(message, ensure_ascii=False))


def _rich(*runs: dict[str, str]) -> dict[str, Any]:
    return {"type": "RichTextBlock", "inlines": list(runs)}


def _run(text: str, **style: str) -> dict[str, str]:
    return {"type": "TextRun", "text": text, **style}
