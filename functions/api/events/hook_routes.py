"""Routes under ``/v1/hooks``: messages that their senders have signed."""

from api.events import event_trigger_answers
from api.events.event_trigger_views import received_view
from api.http.body import body_text
from api.http.exchange import Exchange, Reply
from api.http.refusals import BodyTooLarge
from api.http.route import route
from api.values.proven import keep_rate, stamp
from timegate.contracts.event_triggers import HookMessage
from timegate.domain.tenants.standing import refuse_suspended
from timegate.domain.values.payload import MAX_PAYLOAD_BYTES
from timegate.usecases.event_triggers.receive_hook import (
    HookRequest,
    check_hook,
    fire_hook,
)

#: A message may become the payload of a run.
MAX_HOOK_BYTES = MAX_PAYLOAD_BYTES
#: Reading a hook, its trigger and its secret, and starting a run.
_WEIGHT = 2


@route(
    "POST",
    "/v1/hooks/<hook_id>",
    operation="receiveHook",
    by_signature=True,
    weight=_WEIGHT,
    body=HookMessage,
    answer=event_trigger_answers.ReceivedHook,
    success={200: "The message was received; it started a run, or it did not match."},
    refusals=(404, 409, 422, 429),
    request_headers=(
        *("webhook-id", "webhook-timestamp", "webhook-signature"),
        *("X-GitHub-Delivery", "X-GitHub-Event", "X-Hub-Signature-256"),
    ),
)
def receive(exchange: Exchange) -> Reply:
    """Send a signed message to a web hook.

    The signature of the headers takes the place of a token: webhook-id, webhook-timestamp and
    webhook-signature, or X-Hub-Signature-256 and X-GitHub-Delivery. A message that is sent again
    starts nothing more. An unknown address and a wrong signature are refused alike.
    """
    if exchange.body_bytes > MAX_HOOK_BYTES:
        raise BodyTooLarge(MAX_HOOK_BYTES)
    request = HookRequest(
        hook_id=exchange.path["hook_id"],
        headers=exchange.event.headers,
        body=body_text(exchange.event).encode(),
    )
    services = exchange.services
    sent = check_hook(request, services, now=exchange.now)
    tenant = sent.trigger.tenant
    keep_rate(exchange, tenant, weight=_WEIGHT)
    refuse_suspended(services.tenants_at_hand.settings(tenant, now=exchange.now))
    # Credentials are looked for in what is kept, which may be a small part of it.
    message = exchange.body(checked=False, references=False)
    subject = f"hook/{sent.trigger.name}"
    with services.trail.on_behalf_of(stamp(exchange, subject, "receiveHook")):
        fired = fire_hook(sent, message.value, services, now=exchange.now)
    return Reply(body=received_view(sent.proof.message_id, fired))
