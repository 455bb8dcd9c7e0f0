"""The rules that each kind of channel states for itself."""

from abc import ABC, abstractmethod
from typing import ClassVar

from timegate.domain.actions.kind import ActionKind
from timegate.domain.actions.target_rules import TargetRules
from timegate.domain.channels.notice import Notice, NoticeDelivery
from timegate.domain.values.errors import InvalidInput
from timegate.domain.values.identity import job_id_from
from timegate.domain.values.tenant import TenantId

CHANNEL_ID_LENGTH = 8


class ChannelKind(ABC):
    """Base of the channels: each kind says which action tells it something, and with which body.

    A channel is held to the rules of that action, at creation and at each call.
    """

    __slots__ = ()

    #: The kind's name in the API and in items.
    type: ClassVar[str]
    #: The field that says where the channel leads; where a text stands for a channel, it has this.
    leads_by: ClassVar[str]

    @property
    @abstractmethod
    def address(self) -> str:
        """Say where it leads; of a secret address, where the secret is kept."""

    @property
    def id(self) -> str:
        """The same as long as the address is: part of the identity of what it is told."""
        return channel_id(f"{self.type}:{self.address}")

    @property
    @abstractmethod
    def action(self) -> ActionKind:
        """Return the action that calls it; what is told may add to it."""

    def delivery(self, notice: Notice) -> NoticeDelivery:
        """Return the call that tells it a notice: the document, unless the kind says otherwise."""
        return NoticeDelivery(action=self.action, payload=notice.document)

    def check(self, field: str, rules: TargetRules, tenant: TenantId) -> None:
        """Refuse what could never be told for the tenant; raises ``InvalidInput`` in ``field``."""
        try:
            self.action.check(rules, tenant)
        except InvalidInput as error:
            place = error.field.removeprefix("action")
            raise InvalidInput(f"{field}{place}", error.code, error.detail) from None


def channel_id(address: str) -> str:
    """Return the id of the channel that leads to an address."""
    return job_id_from(f"hook\n{address}".encode())[:CHANNEL_ID_LENGTH]
