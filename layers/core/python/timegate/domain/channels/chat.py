"""Chats: rooms of a service that takes messages at an address, which is a secret."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, ClassVar

from timegate.domain.actions.field_limits import Meaning
from timegate.domain.actions.kind import ActionKind
from timegate.domain.actions.target_rules import TargetRules
from timegate.domain.actions.web_addresses import check_secret
from timegate.domain.channels.channel_kind import ChannelKind
from timegate.domain.values.secrets import SecretRef
from timegate.domain.values.tenant import TenantId
from timegate.value_classes import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class ChatPost(ActionKind):
    """A ``POST`` of JSON to a secret address; no job can ask for it by itself, a channel does."""

    type: ClassVar[str] = "chat"
    url_secret: SecretRef

    @property
    def address(self) -> str:
        """Return where the address is kept."""
        return self.url_secret.place

    def check(self, rules: TargetRules, tenant: TenantId) -> None:
        """Refuse a secret that the tenant may not name; raises ``InvalidInput``."""
        check_secret(self.url_secret, "action.url_secret", rules, tenant)

    @classmethod
    def words(cls, shown: Mapping[str, Any]) -> Sequence[str | None]:
        """Name the secret."""
        return [SecretRef.told(shown["url_secret"]).place]


@dataclass(frozen=True, kw_only=True, slots=True)
class ChatChannel(ChannelKind):
    """Base of the chats: each kind says which form its messages have."""

    leads_by: ClassVar[str] = "url_secret"
    url_secret: Annotated[
        SecretRef, Meaning("Has the address at which the service takes messages of the room.")
    ]

    @property
    def address(self) -> str:
        """Return where the address is kept."""
        return self.url_secret.place

    @property
    def action(self) -> ChatPost:
        """Return the request."""
        return ChatPost(url_secret=self.url_secret)
