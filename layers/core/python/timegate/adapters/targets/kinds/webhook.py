"""Web hooks: one HTTP request, no redirects, never longer than the run's deadline."""

import json
from collections.abc import Mapping
from http import HTTPStatus
from urllib.parse import SplitResult, urlsplit

from timegate.adapters.targets import callbacks
from timegate.adapters.targets.action_target import ActionTarget, TargetServices
from timegate.adapters.targets.continuations import (
    CONTINUE_HEADER,
    continuation_in,
    continuation_under,
)
from timegate.adapters.targets.failures import http_failure, permanent
from timegate.adapters.targets.http.client import HttpClient
from timegate.adapters.targets.http.deadline import Deadline
from timegate.adapters.targets.http.messages import HttpRequest, Response
from timegate.adapters.targets.http.safe_address import SafeAddresses
from timegate.adapters.targets.redaction import redacting
from timegate.adapters.targets.rotated_secrets import REFUSED_CREDENTIALS, after_rotation
from timegate.adapters.targets.secret_reader import SecretReader
from timegate.adapters.targets.webhook_credentials import (
    Credentials,
    ReadSecret,
    read_credentials,
)
from timegate.domain.actions.kinds.webhook import WebhookAction
from timegate.domain.actions.target_rules import TargetRules
from timegate.domain.actions.web_addresses import HTTPS_REQUIRED, is_readable, port_of
from timegate.domain.execution.call import Answer, Call, Resume
from timegate.domain.execution.trace_context import traceparent
from timegate.domain.limits.retry_after import retry_after_seconds
from timegate.domain.runs.parent import Parent
from timegate.domain.runs.run_result import excerpt, whole
from timegate.domain.values.instants import rfc3339
from timegate.ports.call_runner import TargetFailed
from timegate.ports.clock import Clock

_SUCCESSES = range(200, 300)
#: Headers that a job's own may replace.
_DEFAULT_HEADERS = {
    "Content-Type": "application/json",
    "User-Agent": "Timegate",
    # Nothing is decoded, so that a small answer cannot become a large one.
    "Accept-Encoding": "identity",
}


class WebhookTarget(ActionTarget):
    """Sends requests to addresses that were checked before."""

    def __init__(
        self,
        clock: Clock,
        read_secret: ReadSecret,
        rules: TargetRules,
        *,
        read_anew: ReadSecret | None = None,
        api_url: str = "",
    ) -> None:
        self._clock = clock
        self._read_secret = read_secret
        self._read_anew = read_anew or read_secret
        self._rules = rules
        self._api_url = api_url
        self._client = HttpClient(SafeAddresses(private_hosts=rules.private_hosts))

    def close(self) -> None:
        """Close the connections that are kept for further calls."""
        self._client.close()

    def invoke(self, call: Call, action: WebhookAction) -> Answer:
        """Send the request; raises ``TargetFailed``."""
        body = (call.payload if call.payload is not None else "{}").encode()
        self._check(call, action)
        credentials = read_credentials(self._read_secret, call.tenant, action)
        try:
            return self._call(call, action, credentials, body)
        except TargetFailed as failed:
            if failed.failure.code not in REFUSED_CREDENTIALS:
                raise
            raise after_rotation(
                failed,
                credentials,
                lambda: read_credentials(self._read_anew, call.tenant, action),
            ) from None

    def _call(
        self, call: Call, action: WebhookAction, credentials: Credentials, body: bytes
    ) -> Answer:
        """Send the request with these credentials; raises ``TargetFailed``."""
        signed = credentials.headers(call.message_id, body, now=self._clock.now())
        headers = {**_headers(call, action), **self._callback(call), **signed}
        redaction = credentials.redaction_of(headers, call.hidden)
        with redacting(redaction):
            response = self._send(call, action, headers, body)
            # Before it is cut: half of a secret would not be recognised.
            body_text = redaction.apply(_text(response))
            return self._answer(call, action, response, body_text)

    def _answer(
        self, call: Call, action: WebhookAction, response: Response, body_text: str
    ) -> Answer:
        """Tell what a response means; raises ``TargetFailed``."""
        text = excerpt(body_text)
        if response.status == HTTPStatus.ACCEPTED and call.callback is not None:
            return Answer(text=text, accepted=True)
        if response.status in (action.success_statuses or _SUCCESSES):
            order = response.headers.get(CONTINUE_HEADER)
            more = (
                continuation_in(body_text)
                if order is None
                else continuation_under(order, body_text)
            )
            kept = whole(body_text) if response.is_complete else None
            return Answer(text=text, whole=kept, continuation=more)
        wait = retry_after_seconds(response.headers.get("retry-after"), self._clock.now())
        raise http_failure(response.status, text, wait)

    def _check(self, call: Call, action: WebhookAction) -> None:
        """Refuse what the stage's rules refuse by now; raises ``TargetFailed``."""
        url = urlsplit(action.url)
        if not self._rules.allows_port(port_of(url)):
            message = f"Port {port_of(url)} is not among those that web hooks may reach."
            raise permanent("port_not_allowed", "NotAllowed", message)
        is_secret = action.secret_headers or action.signing_secret or call.callback
        if is_secret and is_readable(url, self._rules):
            raise permanent("https_required", "NotAllowed", HTTPS_REQUIRED)

    def _callback(self, call: Call) -> dict[str, str]:
        if call.callback is None:
            return {}
        return callbacks.headers(call.callback, callbacks.callback_url(self._api_url, call))

    def _send(
        self, call: Call, action: WebhookAction, headers: Mapping[str, str], body: bytes
    ) -> Response:
        url = urlsplit(action.url)
        request = HttpRequest(
            tenant=call.tenant,
            scheme=url.scheme,
            host=url.hostname or "",
            port=port_of(url),
            method=action.method,
            target=_target(url),
            headers={"Host": url.netloc, **headers},
            body=body,
        )
        return self._client.send(request, Deadline.after(self._remaining(call)))

    def _remaining(self, call: Call) -> float:
        return max((call.deadline_at - self._clock.now()).total_seconds(), 0.001)


def _text(response: Response) -> str:
    """Return the body as text; one that is encoded is named and not kept."""
    if response.encodings:
        encodings = ", ".join(response.encodings)
        return f"({len(response.body)} bytes, encoded as {encodings}, are not kept.)"
    return response.body.decode(errors="replace")


def _target(url: SplitResult) -> str:
    path = url.path or "/"
    return f"{path}?{url.query}" if url.query else path


def _headers(call: Call, action: WebhookAction) -> dict[str, str]:
    """The job's own, however it spells their names; ours where it has none."""
    own = {name.lower() for name in (*action.headers, *action.secret_headers)}
    missing = {name: text for name, text in _DEFAULT_HEADERS.items() if name.lower() not in own}
    return {**missing, **action.headers, **_identity(call)}


def _identity(call: Call) -> dict[str, str]:
    return {
        "Idempotency-Key": call.idempotency_key,
        "Timegate-Run-Id": str(call.attempt.run),
        "Timegate-Idempotency-Key": call.idempotency_key,
        "Timegate-Attempt": str(call.attempt.number),
        "Timegate-Fence": str(call.fence),
        "Timegate-Scheduled-At": rfc3339(call.scheduled_at),
        "traceparent": traceparent(call),
        **_resumption(call.resume),
        **_triggered_by(call.parent),
    }


def _triggered_by(parent: Parent | None) -> dict[str, str]:
    if parent is None:
        return {}
    return {
        "Timegate-Triggered-By": str(parent.attempt.run),
        "Timegate-Triggered-By-State": parent.occasion,
    }


def _resumption(resume: Resume | None) -> dict[str, str]:
    """Build the headers of a long run: a small checkpoint, or a link to a large one."""
    if resume is None:
        return {}
    headers = {
        "Timegate-Slice": str(resume.slice),
        "Timegate-Checkpoint-Sequence": str(resume.sequence),
    }
    if resume.checkpoint is not None:
        headers["Timegate-Checkpoint"] = json.dumps(json.loads(resume.checkpoint))
    if resume.link is not None:
        headers["Timegate-Checkpoint-Link"] = resume.link
    return headers


def build(services: TargetServices) -> WebhookTarget:
    """Build the target; clients of secrets are built when a web hook names one."""
    secrets = secret_reader(services)
    return WebhookTarget(
        services.clock,
        secrets.read,
        services.rules,
        read_anew=secrets.read_anew,
        api_url=services.api_url,
    )


def secret_reader(services: TargetServices) -> SecretReader:
    """Build a reader of the tenants' secrets."""
    clients = services.clients
    return SecretReader(
        lambda region: clients.client("secretsmanager", region=region),
        lambda region: clients.client("ssm", region=region),
        services.rules,
        services.clock,
    )
