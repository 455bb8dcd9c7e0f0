"""Queues: one message of SQS."""

import re
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, ClassVar
from urllib.parse import SplitResult, urlsplit

from timegate.domain.actions.addresses import is_exempt
from timegate.domain.actions.field_limits import Meaning, Text
from timegate.domain.actions.kind import ActionKind, check_place, not_allowed
from timegate.domain.actions.kinds.message_groups import FIFO_SUFFIX, GROUP_ID
from timegate.domain.actions.target_names import matches
from timegate.domain.actions.target_rules import TargetPlace, TargetRules, partition_of
from timegate.domain.values.tenant import TenantId
from timegate.value_classes import dataclass

_URL = re.compile(r"[\x21-\x7e]+")
#: The hosts of SQS, in AWS's partitions for the world and for China.
_AWS_HOST = re.compile(r"sqs\.([a-z0-9-]+)\.amazonaws\.com(\.cn)?")
_CHINA = "aws-cn"


@dataclass(frozen=True, kw_only=True, slots=True)
class SqsAction(ActionKind):
    """One message to an SQS queue on the stage's allow-list."""

    type: ClassVar[str] = "sqs"
    queue_url: Annotated[str, Text(max_length=512)]
    #: Group of a FIFO queue, whose order it keeps. In any other queue: its share of a fair queue.
    message_group_id: Annotated[
        Annotated[str, GROUP_ID] | None, Meaning("Of a FIFO queue it is the job's id unless given.")
    ] = None

    @property
    def is_fifo(self) -> bool:
        """Tell if the queue keeps order and drops duplicates."""
        return self.queue_url.endswith(FIFO_SUFFIX)

    @property
    def address(self) -> str:
        """Return the queue's URL."""
        return self.queue_url

    @property
    def place(self) -> TargetPlace | None:
        """Return the place that the URL tells; ``None``: its host is none of AWS's."""
        try:
            queue = QueueName.of(self.queue_url)
        except ValueError:
            return None
        if queue is None or queue.region is None:
            return None
        partition = partition_of(queue.region)
        return TargetPlace(partition=partition, region=queue.region, account=queue.account)

    def check(self, rules: TargetRules, tenant: TenantId) -> None:
        """Refuse a queue off the tenant's list; raises ``InvalidInput``."""
        check_place(self, "queue_url", rules)
        try:
            allowed = bool(_URL.fullmatch(self.queue_url)) and self.is_allowed(rules, tenant)
        except ValueError:
            allowed = False
        if not allowed:
            raise not_allowed("action.queue_url", "queue")

    def is_allowed(self, rules: TargetRules, tenant: TenantId) -> bool:
        """Tell if the queue behind the URL may be sent to for the tenant."""
        queue = QueueName.of(self.queue_url, rules.private_hosts)
        return queue is not None and any(
            queue.matches(pattern) for pattern in rules.patterns(self.type, tenant)
        )

    @classmethod
    def words(cls, shown: Mapping[str, Any]) -> Sequence[str | None]:
        """Name queue and group."""
        return [shown["queue_url"], shown["message_group_id"]]


@dataclass(frozen=True, kw_only=True, slots=True)
class QueueName:
    """Parts of a queue's URL."""

    #: ``None`` where the host does not tell, as with a local cloud's.
    region: str | None
    account: str
    name: str

    @classmethod
    def of(cls, url: str, private_hosts: tuple[str, ...] = ()) -> "QueueName | None":
        """Read ``https://sqs.<region>.amazonaws.com/<account>/<name>``; ``None`` if it is none.

        The host is one of AWS's own for SQS, or one that the stage names, as a local cloud's.
        """
        parts = urlsplit(url)
        account, _, name = parts.path.removeprefix("/").partition("/")
        is_local = is_exempt(parts.hostname or "", private_hosts)
        region = None if is_local else _region(parts)
        if not (region or (is_local and parts.scheme in {"http", "https"})):
            return None
        if not account.isdigit():
            return None
        if not name or "/" in name or parts.query or parts.fragment or "@" in parts.netloc:
            return None
        return cls(region=region, account=account, name=name)

    def matches(self, pattern: str) -> bool:
        """Tell if an ARN pattern covers it; a Region that the URL omits counts as covered."""
        fields = pattern.split(":", 5)
        own = ["arn", "*", "sqs", self.region, self.account, self.name]
        if len(fields) != len(own):
            return pattern == "*"
        return all(
            value in {None, "*"} or matches(str(value), allowed)
            for value, allowed in zip(own, fields, strict=True)
        )


def _region(url: SplitResult) -> str | None:
    """Return the region of a queue at AWS; ``None``: the URL is none of SQS's own."""
    found = _AWS_HOST.fullmatch(url.netloc)
    if found is None or url.scheme != "https":
        return None
    # China's regions have a domain of their own: no other region answers there.
    is_china = partition_of(found[1]) == _CHINA
    return found[1] if is_china == (found[2] is not None) else None
