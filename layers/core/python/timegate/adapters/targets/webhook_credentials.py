"""Credentials that a web hook checks: headers with secrets in them, and a signature."""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import field
from datetime import datetime

from timegate.adapters.targets.callbacks import PROOF_HEADER
from timegate.adapters.targets.failures import permanent
from timegate.adapters.targets.redaction import Redaction, parts_of
from timegate.domain.actions import signatures
from timegate.domain.actions.kinds.webhook import WebhookAction
from timegate.domain.values.secrets import SecretRef
from timegate.domain.values.tenant import TenantId
from timegate.value_classes import dataclass

#: A tenant's secret; raises ``TargetFailed``.
ReadSecret = Callable[[TenantId, SecretRef], str]

#: Text that HTTP can carry; a line break would begin a header of its own.
_HEADER_VALUE = re.compile(r"[\t\x20-\x7e]+")
#: Secrets of a call's headers, and long words in them. Each is looked for in the answer, in some
#: twenty spellings.
MAX_PARTS = 100


@dataclass(frozen=True, kw_only=True, slots=True)
class Credentials:
    """Secrets, as long as the call lasts."""

    secret_headers: Mapping[str, str] = field(repr=False)
    keys: tuple[str, ...] = field(repr=False)

    def headers(self, message_id: str, body: bytes, *, now: datetime) -> dict[str, str]:
        """Build the headers of a message with this body that is sent now."""
        signed = signatures.headers(message_id, body, self.keys, now=now)
        return {**self.secret_headers, **signed}

    def redaction_of(self, sent: Mapping[str, str], hidden: Iterable[str] = ()) -> Redaction:
        """Return the redaction for the answer to a request with these headers.

        It covers the secrets read, and the proofs of the call: its signatures, and the token of its
        lease. ``hidden``: texts that it covers besides.
        """
        made = signatures.signatures_in(sent.get(signatures.SIGNATURE_HEADER, ""))
        token = [sent[PROOF_HEADER]] if PROOF_HEADER in sent else []
        # Without the prefix and padding as well, as programs show them.
        bare = [key.removeprefix(signatures.KEY_PREFIX).rstrip("=") for key in self.keys]
        secrets = [*self.secret_headers.values(), *self.keys, *bare]
        return Redaction.of([*secrets, *made, *token, *hidden])


def read_credentials(read: ReadSecret, tenant: TenantId, action: WebhookAction) -> Credentials:
    """Read what the action names; raises ``TargetFailed``, permanent where nothing will change."""
    headers = {name: read(tenant, ref) for name, ref in action.secret_headers.items()}
    for name, value in headers.items():
        if not _HEADER_VALUE.fullmatch(value):
            raise _unusable(f"The secret of the header {name} is not printable ASCII.")
    if sum(1 for value in headers.values() for _ in parts_of(value)) > MAX_PARTS:
        raise _unusable(f"The secrets of the headers have more than {MAX_PARTS} words.")
    if action.signing_secret is None:
        return Credentials(secret_headers=headers, keys=())
    try:
        keys = signatures.signing_keys(read(tenant, action.signing_secret))
    except ValueError as error:
        raise _unusable(f"The signing secret cannot be used: {error}.") from None
    return Credentials(secret_headers=headers, keys=keys)


def _unusable(message: str) -> Exception:
    return permanent("secret_unusable", "SecretUnusable", message)
