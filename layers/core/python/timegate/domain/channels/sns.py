"""Topics of SNS: each protocol gets the form that its receivers read."""

import json
from dataclasses import replace
from typing import Annotated, ClassVar

from timegate.domain.actions.field_limits import ARN, Meaning
from timegate.domain.actions.kinds.sns import SnsAction
from timegate.domain.channels.channel_kind import ChannelKind
from timegate.domain.channels.notice import Notice, NoticeDelivery, as_words, shortened
from timegate.value_classes import dataclass

#: SNS takes 100 characters of ASCII.
_MAX_SUBJECT = 99
#: Characters of one text message; longer ones are sent, and paid for, as several.
_MAX_SMS = 140


@dataclass(frozen=True, kw_only=True, slots=True)
class SnsChannel(ChannelKind):
    """An SNS topic on the stage's allow-list; mail and text messages of it are in words."""

    type: ClassVar[str] = "sns"
    leads_by: ClassVar[str] = "topic_arn"
    topic_arn: Annotated[
        str, ARN, Meaning("Subscribers by email and SMS get words, all others the document.")
    ]

    @property
    def address(self) -> str:
        """Return the topic's ARN."""
        return self.topic_arn

    @property
    def action(self) -> SnsAction:
        """Return the message, without its subject."""
        return SnsAction(topic_arn=self.topic_arn, message_structure="json")

    def delivery(self, notice: Notice) -> NoticeDelivery:
        """Return one message in three forms: for programs, for mail and for telephones."""
        forms = {
            "default": notice.document,
            "email": as_words(notice),
            "sms": shortened(notice.headline, _MAX_SMS),
        }
        action = replace(self.action, subject=_subject(notice.headline))
        return NoticeDelivery(action=action, payload=json.dumps(forms, ensure_ascii=False))


def _subject(headline: str) -> str:
    """SNS takes ASCII, and a letter, a digit or a punctuation mark at the beginning."""
    text = headline.encode("ascii", "replace").decode()
    return shortened(f"Timegate: {text}", _MAX_SUBJECT).replace("…", "~")
