"""Calls with a message about an approval: its link is signed when it is sent, and kept nowhere."""

from dataclasses import replace

from timegate.adapters.targets.action_target import ActionTarget, TargetServices
from timegate.adapters.targets.failures import permanent
from timegate.adapters.targets.kinds.webhook import secret_reader
from timegate.adapters.targets.redaction import Redaction, redacting
from timegate.domain.approvals.link import LinkTerms, link_address
from timegate.domain.channels.notice import LINK_PLACE
from timegate.domain.execution.call import Answer, Call


class LinkedCalls:
    """Puts links into messages, and takes them out of what targets answer."""

    def __init__(self, services: TargetServices) -> None:
        self._api_url = services.api_url
        self._secrets = secret_reader(services)

    def invoke(self, call: Call, terms: LinkTerms, target: ActionTarget) -> Answer:
        """Do a call with its link; raises ``TargetFailed``."""
        link = self._signed(terms)
        address = link_address(self._api_url, link)
        payload = (call.payload or "").replace(LINK_PLACE, address)
        # Before it cuts an answer, the target takes the link out: half of one would not be known.
        # Its claims are no secret, so the signature is hidden by itself as well.
        secrets = (link, link.rpartition(".")[2])
        linked = replace(call, payload=payload, link=None, hidden=(*call.hidden, *secrets))
        redaction = Redaction.of(secrets)
        with redacting(redaction):
            answer = target.invoke(linked, linked.action)
        whole = redaction.apply(answer.whole) if answer.whole is not None else None
        return replace(answer, text=redaction.apply(answer.text), whole=whole)

    def _signed(self, terms: LinkTerms) -> str:
        """Sign a link; raises ``TargetFailed`` where the secret cannot be read or has no key."""
        try:
            return terms.link.signed(self._secrets.read(terms.link.tenant, terms.secret))
        except ValueError as error:
            message = f"The secret of the link cannot be used: {error}."
            raise permanent("secret_unusable", "SecretUnusable", message) from None
