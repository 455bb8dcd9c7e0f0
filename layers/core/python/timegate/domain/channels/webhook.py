"""Web hooks: the document, in a request that may be signed."""

from typing import Annotated, ClassVar

from timegate.domain.actions.field_limits import Meaning, Text
from timegate.domain.actions.kinds.webhook import WebhookAction
from timegate.domain.actions.web_addresses import MAX_URL_LENGTH
from timegate.domain.channels.channel_kind import ChannelKind, channel_id
from timegate.domain.values.secrets import SecretRef
from timegate.value_classes import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class WebhookChannel(ChannelKind):
    """A web hook: it gets the document by ``POST``."""

    type: ClassVar[str] = "webhook"
    leads_by: ClassVar[str] = "url"
    url: Annotated[str, Text(max_length=MAX_URL_LENGTH)]
    signing_secret: Annotated[
        SecretRef | None,
        Meaning(
            "What it is told is signed with each of its keys: one on a line, as whsec_ and Base64."
        ),
    ] = None

    @property
    def address(self) -> str:
        """Return the URL."""
        return self.url

    @property
    def id(self) -> str:
        """The same whatever it is signed with."""
        return channel_id(self.url)

    @property
    def action(self) -> WebhookAction:
        """Return the request."""
        return WebhookAction(url=self.url, signing_secret=self.signing_secret)
