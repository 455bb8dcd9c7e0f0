"""Approval links: each speaks for one wait of one task, until its end, and for nothing else.

A link names tenant, DAG run, task, round, end and receiver, and is signed with a key of a secret of
the tenant's. So it needs no record, a repeated task needs a new one, and the links of a key are
refused once the secret no longer has that key.
"""

import base64
import binascii
import hmac
import json
import re
from datetime import datetime

from timegate.domain.actions.signatures import signature, signing_keys
from timegate.domain.values.errors import InvalidInput
from timegate.domain.values.identity import TASK_KEY, DagRunId, TaskKey, parse_dag_id
from timegate.domain.values.instants import compact, from_compact
from timegate.domain.values.secrets import SecretRef
from timegate.domain.values.tenant import TenantId, tenant_id
from timegate.value_classes import dataclass

#: Path of the page that a link opens; the link is a parameter, which no log of a path has.
PATH = "/v1/approval"
PARAMETER = "link"
MAX_RECEIVER = 100
#: Longer than the longest link: names of 128 and 100 characters, four bytes each in JSON.
MAX_LENGTH = 2048
#: Claims, a dot, and the signature.
FORM = r"^[A-Za-z0-9_-]{1,1900}\.[A-Za-z0-9_-]{43}$"
_FORM = re.compile(FORM)
#: The trail and pages have a receiver's name: no control characters, and no half of a character,
#: which neither can hold. The tenant's own programs have the key, and may sign any name.
_RECEIVER = re.compile(r"[^\x00-\x1f\x7f-\x9f\ud800-\udfff]+")
#: No message of a web hook is signed with such a beginning: its id has no blank.
_PURPOSE = b"timegate approval link\n"
#: Names of those who decide by a link begin so; no subject of a token is meant.
_ACTOR = "link/"


@dataclass(frozen=True, kw_only=True, slots=True)
class ApprovalLink:
    """Claims of a link; only the signature tells if they are true."""

    tenant: TenantId
    dag_run_id: DagRunId
    task: TaskKey
    #: The link is for the wait of this round.
    round: int
    #: The end of the wait.
    until: datetime
    #: Name of the person or the channel that it was made for.
    receiver: str

    @property
    def actor(self) -> str:
        """Return the name that the audit trail has of the receiver."""
        return f"{_ACTOR}{self.receiver}"

    def signed(self, secret: str) -> str:
        """Return the text of the link, signed with the first key of a secret.

        Raises ``ValueError`` for a secret that holds no key.
        """
        claims = _encoded(self._claims())
        return f"{claims}.{_signature(signing_keys(secret)[0], claims)}"

    def _claims(self) -> bytes:
        parts = [self.tenant, self.dag_run_id, self.task, self.round, compact(self.until)]
        return json.dumps([*parts, self.receiver], separators=(",", ":")).encode()


@dataclass(frozen=True, kw_only=True, slots=True)
class LinkTerms:
    """A link that is to be signed, and the place of the secret with its key."""

    link: ApprovalLink
    secret: SecretRef


@dataclass(frozen=True, kw_only=True, slots=True)
class ShownLink:
    """A link as it was shown, before its signature is checked."""

    link: ApprovalLink
    claims: str
    signature: str

    def holds(self, secret: str) -> bool:
        """Tell if a key of a secret signed it; raises ``ValueError`` for one without keys."""
        made = [_signature(key, self.claims) for key in signing_keys(secret)]
        # Each is compared: how long that takes does not depend on which one is equal.
        return True in [hmac.compare_digest(each, self.signature) for each in made]


def read_link(text: str) -> ShownLink | None:
    """Read a link; ``None``: it has not the shape of one."""
    if not _FORM.fullmatch(text):
        return None
    claims, _, shown = text.partition(".")
    try:
        link = _parsed(json.loads(base64.urlsafe_b64decode(claims + "=" * (-len(claims) % 4))))
    except (ValueError, binascii.Error, RecursionError, InvalidInput):
        return None
    return ShownLink(link=link, claims=claims, signature=shown)


def terms_in(notice: str, tenant: TenantId) -> LinkTerms | None:
    """Return the link that a notice of an approval has a place for; ``None``: it has none."""
    told = json.loads(notice)
    asked = told.get("approval") or {}
    if asked.get("link_secret") is None:
        return None
    link = ApprovalLink(
        tenant=tenant,
        dag_run_id=DagRunId(told["dag_run"]["dag_run_id"]),
        task=TaskKey(asked["task"]),
        round=asked["round"],
        until=from_compact(asked["ends"]),
        receiver=asked["receiver"],
    )
    return LinkTerms(link=link, secret=SecretRef.told(asked["link_secret"]))


def link_address(base: str, link: str) -> str:
    """Return the address of a link below the address of the API."""
    return f"{base.rstrip('/')}{PATH}?{PARAMETER}={link}"


def _parsed(claims: object) -> ApprovalLink:
    """Return the claims; raises ``ValueError`` or ``InvalidInput`` for others."""
    match claims:
        case [str(tenant), str(run), str(task), int(number), str(until), str(receiver)]:
            dag_run_id = parse_dag_id(run)
            if dag_run_id is None or not TASK_KEY.fullmatch(task) or number < 1:
                raise ValueError(run)
            if not _RECEIVER.fullmatch(receiver):
                raise ValueError(receiver)
            return ApprovalLink(
                tenant=tenant_id(tenant),
                dag_run_id=DagRunId(dag_run_id),
                task=TaskKey(task),
                round=number,
                until=from_compact(until),
                receiver=receiver[:MAX_RECEIVER],
            )
    message = "the claims of a link are six"
    raise ValueError(message)


def _signature(key: str, claims: str) -> str:
    """Sign claims, in the alphabet of addresses."""
    made = signature(key, _PURPOSE + claims.encode())
    return made.translate(_URL_SAFE).rstrip("=")


_URL_SAFE = str.maketrans("+/", "-_")


def _encoded(text: bytes) -> str:
    return base64.urlsafe_b64encode(text).decode().rstrip("=")
