"""The rules that each kind of action states for itself."""

import re
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from timegate.domain.actions.pool import Offer
from timegate.domain.actions.target_rules import TargetPlace, TargetRules, Unreachable
from timegate.domain.values.errors import InvalidInput
from timegate.domain.values.tenant import TenantId

#: SNS, EventBridge and Step Functions take so many bytes, and what they are told of the run is
#: among them.
MAX_MESSAGE_BYTES = 256 * 1024
#: More than what they are told ever has: ids, instants, counters, and an event's source and type.
_TOLD_BYTES = 2 * 1024
MAX_MESSAGE_PAYLOAD_BYTES = MAX_MESSAGE_BYTES - _TOLD_BYTES
#: Region and account of an ARN.
PLACE = r"[a-z0-9-]+:\d{12}"


class ActionKind(ABC):
    """Base of the actions: each kind says what it calls, what it refuses, and how its runs end."""

    __slots__ = ()

    #: The kind's name in the API, in items and in the stage's lists of targets.
    type: ClassVar[str]
    #: A target is called; ``False``: Timegate does it itself, or its workers do.
    is_called: ClassVar[bool] = True
    #: Bytes of a payload that the target takes; ``None``: as many as a job may have.
    payload_bytes: ClassVar[int | None] = None
    #: The payload has a form, which ``check_payload`` knows.
    reads_payload: ClassVar[bool] = False
    #: A policy of the resource may let sessions of another account call it.
    crosses_accounts: ClassVar[bool] = True

    @property
    @abstractmethod
    def address(self) -> str | None:
        """The name of what is called, of web hooks the host; ``None``: nothing is."""

    @abstractmethod
    def check(self, rules: TargetRules, tenant: TenantId) -> None:
        """Refuse what could never be done for the tenant; raises ``InvalidInput``."""

    def check_payload(self, payload: str | None) -> None:  # noqa: B027 - most targets take any
        """Refuse a payload, JSON text, that the target cannot read; raises ``InvalidInput``."""

    def check_size(self, payload_bytes: int) -> None:
        """Refuse a payload that the target would not take; raises ``InvalidInput``."""
        limit = self.payload_bytes
        if limit is not None and payload_bytes > limit:
            detail = f"It has {payload_bytes} bytes; a target of type {self.type} takes {limit}."
            raise InvalidInput("payload", "payload_too_large", detail)

    @property
    def target(self) -> str | None:
        """Name the target, for jobs that are limited together.

        It has a colon, which no name of a user's has. ``None``: nothing is called.
        """
        return f"{self.type}:{self.address}" if self.address is not None else None

    @property
    def place(self) -> TargetPlace | None:
        """Return the place at AWS that is called; ``None``: none, or one that no name tells."""
        return None

    def objection(self, rules: TargetRules) -> Unreachable | None:
        """Say why the action's place cannot be called from the stage; ``None``: it can."""
        return rules.objection(self.place, crosses_accounts=self.crosses_accounts)

    @property
    def offer(self) -> Offer | None:
        """Return the offer of runs of this action; ``None``: they go through a queue."""
        return None

    @property
    def silence_seconds(self) -> int | None:
        """Return how long a target that works on by itself may be silent; ``None``: it answers."""
        return None

    @property
    def readable_secrets(self) -> tuple[str, ...]:
        """Return the names of fields whose values look like secrets that readers see."""
        return ()

    @property
    def may_continue(self) -> bool:
        """Tell if the target answers or calls back, so that it can order to go on."""
        return False

    @property
    def goes_on_alone(self) -> bool:
        """Tell if the action ends by itself, without a waiting executor: it can be stopped."""
        return False

    @property
    def is_followed(self) -> bool:
        """Tell if its runs go on in slices by themselves: an executor looks and goes away again."""
        return False

    @classmethod
    @abstractmethod
    def words(cls, shown: Mapping[str, Any]) -> Sequence[str | None]:
        """Say an action, as the API shows it, in a few words."""


def check_arn(
    action: ActionKind,
    field: str,
    arn: str,
    form: "re.Pattern[str]",
    rules: TargetRules,
    tenant: TenantId,
) -> None:
    """Refuse an ARN of another form, or off the tenant's list; raises ``InvalidInput``."""
    words = field.removesuffix("_arn").replace("_", " ")
    if not form.fullmatch(arn):
        raise InvalidInput(f"action.{field}", "invalid_arn", f"It must be the ARN of a {words}.")
    check_place(action, field, rules)
    if not rules.allows(action.type, tenant, arn):
        raise not_allowed(f"action.{field}", words)


def check_place(action: ActionKind, field: str, rules: TargetRules) -> None:
    """Refuse a place that the stage's calls do not reach; raises ``InvalidInput``."""
    found = action.objection(rules)
    if found is not None:
        raise InvalidInput(f"action.{field}", found.code, found.detail)


def not_allowed(field: str, words: str) -> InvalidInput:
    """Return the refusal of a target that is not on the tenant's list.

    It has the same words whether the target exists or not: the list is the operator's business.
    """
    detail = f"This {words} is not among those that jobs of this tenant may target."
    return InvalidInput(field, "target_not_allowed", detail)
