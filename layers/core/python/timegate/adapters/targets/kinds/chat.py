"""Chats: the address is read from its secret, held to the rules of web hooks, and called."""

from dataclasses import replace
from urllib.parse import parse_qsl, urlsplit

from timegate.adapters.targets.action_target import ActionTarget, TargetServices
from timegate.adapters.targets.failures import permanent
from timegate.adapters.targets.kinds import webhook
from timegate.adapters.targets.rotated_secrets import REFUSED_ADDRESSES, after_rotation
from timegate.adapters.targets.webhook_credentials import ReadSecret
from timegate.domain.actions.kinds.webhook import WebhookAction
from timegate.domain.actions.target_rules import TargetRules
from timegate.domain.actions.web_addresses import check_secrecy, check_url
from timegate.domain.channels.chat import ChatPost
from timegate.domain.execution.call import Answer, Call
from timegate.domain.values.errors import InvalidInput
from timegate.domain.values.tenant import TenantId
from timegate.ports.call_runner import TargetFailed

#: A shorter path is no secret, and would be found everywhere.
_MIN_HIDDEN = 8
#: A shorter part of an address may be a common word.
_MIN_KEY = 16


class ChatTarget(ActionTarget):
    """Sends requests to addresses that no record and no answer shows."""

    def __init__(
        self,
        sender: webhook.WebhookTarget,
        read_secret: ReadSecret,
        rules: TargetRules,
        *,
        read_anew: ReadSecret | None = None,
    ) -> None:
        self._sender = sender
        self._read_secret = read_secret
        self._read_anew = read_anew or read_secret
        self._rules = rules

    def invoke(self, call: Call, action: ChatPost) -> Answer:
        """Post the payload; raises ``TargetFailed``, which does not have the address."""
        url = self._address(call.tenant, action)
        try:
            return self._post(call, url)
        except TargetFailed as failed:
            if failed.failure.code not in REFUSED_ADDRESSES:
                raise
            raise after_rotation(
                failed, url, lambda: self._read_anew(call.tenant, action.url_secret)
            ) from None

    def _post(self, call: Call, url: str) -> Answer:
        hiding = replace(call, hidden=(*call.hidden, *_hidden(url)))
        answer = self._sender.invoke(hiding, WebhookAction(url=url))
        # A notice ends with its answer, whatever that orders.
        return Answer(text=answer.text)

    def _address(self, tenant: TenantId, action: ChatPost) -> str:
        url = self._read_secret(tenant, action.url_secret)
        try:
            check_url(url, "url_secret", self._rules)
            check_secrecy(url, "url_secret", self._rules)
        except InvalidInput as refused:
            # The detail may name the host.
            message = f"The secret {action.address} has no address that may be called: "
            raise permanent("secret_unusable", "SecretUnusable", message + refused.code) from None
        return url


def _hidden(url: str) -> list[str]:
    """Return what of an address is to be hidden: hosts of chats are known, their paths are not.

    Long parts of the path and the query are keys by themselves.
    """
    parts = urlsplit(url)
    paths = (f"{parts.path}?{parts.query}", parts.path)
    keys = [*parts.path.split("/"), *(value for _, value in parse_qsl(parts.query))]
    return [
        url,
        *(path for path in paths if len(path) >= _MIN_HIDDEN),
        *(key for key in keys if len(key) >= _MIN_KEY),
    ]


def build(services: TargetServices) -> ChatTarget:
    """Build the target; clients of secrets are built at its first call."""
    secrets = webhook.secret_reader(services)
    sender = webhook.WebhookTarget(services.clock, secrets.read, services.rules)
    return ChatTarget(sender, secrets.read, services.rules, read_anew=secrets.read_anew)
