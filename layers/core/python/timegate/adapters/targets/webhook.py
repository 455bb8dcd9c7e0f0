"""Web hooks: one HTTP request, no redirects, never longer than the run's deadline."""

import json
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from functools import partial
from http import HTTPStatus
from typing import Any
from urllib.parse import SplitResult, urlsplit

import urllib3
from urllib3.exceptions import (
    ConnectTimeoutError,
    HTTPError,
    LocationParseError,
    NewConnectionError,
    ReadTimeoutError,
)

from timegate.adapters.targets import callbacks
from timegate.adapters.targets.continuations import (
    CONTINUE_HEADER,
    continuation_in,
    continuation_under,
)
from timegate.adapters.targets.excerpt import excerpt, whole
from timegate.adapters.targets.failures import (
    http_failure,
    permanent,
    retryable,
    timed_out,
)
from timegate.adapters.targets.redaction import redacting
from timegate.adapters.targets.safe_address import SafeAddresses
from timegate.adapters.targets.webhook_credentials import ReadSecret, read_credentials
from timegate.domain.action import WebhookAction
from timegate.domain.call import Answer, Call, Resume
from timegate.domain.checkpoint import MAX_CHECKPOINT_BYTES
from timegate.domain.instants import rfc3339
from timegate.domain.parent import Parent
from timegate.ports.surroundings import Clock

#: A target that cannot be reached in this time is tried again rather than waited for.
CONNECT_SECONDS = 5.0
#: As much of an answer as is read at all: a checkpoint, and what comes with it.
MAX_ANSWER_BYTES = MAX_CHECKPOINT_BYTES + 8_192
_CHUNK_BYTES = 8_192
_DEFAULT_PORTS = {"http": 80, "https": 443}
_SUCCESSES = range(200, 300)
#: What a job's own headers may replace.
_DEFAULT_HEADERS = {"Content-Type": "application/json", "User-Agent": "Timegate"}


class WebhookTarget:
    """Sends requests to addresses that were checked before."""

    def __init__(
        self,
        clock: Clock,
        read_secret: ReadSecret,
        *,
        private_hosts: tuple[str, ...] = (),
        api_url: str = "",
    ) -> None:
        self._clock = clock
        self._read_secret = read_secret
        self._api_url = api_url
        self._addresses = SafeAddresses(private_hosts=private_hosts)
        self._pools = urllib3.PoolManager(num_pools=50, maxsize=10, retries=False)

    def invoke(self, call: Call, action: WebhookAction) -> Answer:
        """Send the request; raises ``TargetFailed``."""
        body = (call.payload if call.payload is not None else "{}").encode()
        credentials = read_credentials(self._read_secret, call.tenant, action)
        signed = credentials.headers(body, now=self._clock.now())
        headers = {**_headers(call, action), **self._callback(call), **signed}
        redaction = credentials.redaction_of(headers)
        with redacting(redaction):
            try:
                response = self._send(call, action, headers, body)
            except HTTPError as error:
                raise _unanswered(error) from error
            # Before it is cut: half of a secret would be found by nobody.
            body_text = redaction.apply(self._read(response, call))
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
            return Answer(text=text, whole=whole(body_text), continuation=more)
        wait = retry_after_seconds(response.headers.get("retry-after"), self._clock.now())
        raise http_failure(response.status, text, wait)

    def _callback(self, call: Call) -> dict[str, str]:
        if call.callback is None:
            return {}
        return callbacks.headers(call.callback, callbacks.callback_url(self._api_url, call))

    def _send(
        self, call: Call, action: WebhookAction, headers: Mapping[str, str], body: bytes
    ) -> "urllib3.BaseHTTPResponse":
        url = urlsplit(action.url)
        host = url.hostname or ""
        port = url.port or _DEFAULT_PORTS[url.scheme]
        address = self._addresses.resolve(host, port)
        pool = self._pools.connection_from_host(
            address, port, scheme=url.scheme, pool_kwargs=_tls_identity(url.scheme, host)
        )
        remaining = self._remaining(call)
        return pool.urlopen(
            action.method,
            _target(url),
            body=body,
            headers={**headers, "Host": url.netloc},
            redirect=False,
            retries=False,
            preload_content=False,
            timeout=urllib3.Timeout(connect=min(CONNECT_SECONDS, remaining), total=remaining),
        )

    def _read(self, response: "urllib3.BaseHTTPResponse", call: Call) -> str:
        """The answer's beginning: a target that drips it out is cut off at the deadline."""
        body = b""
        try:
            for chunk in iter(partial(_arrived(response), _CHUNK_BYTES), b""):
                body += chunk
                if len(body) >= MAX_ANSWER_BYTES or self._clock.now() >= call.deadline_at:
                    break
            else:
                response.release_conn()
        except HTTPError as error:
            raise _unanswered(error) from error
        finally:
            # Does nothing to a connection that went back to its pool.
            response.close()
        return body[:MAX_ANSWER_BYTES].decode(errors="replace")

    def _remaining(self, call: Call) -> float:
        return max((call.deadline_at - self._clock.now()).total_seconds(), 0.001)


def retry_after_seconds(header: str | None, now: datetime) -> float | None:
    """What ``Retry-After`` asks for, as seconds or as a date (RFC 9110, section 10.2.3)."""
    if header is None:
        return None
    if header.strip().isdecimal():
        return float(header)
    try:
        date = parsedate_to_datetime(header)
    except ValueError:
        return None
    aware = date if date.tzinfo is not None else date.replace(tzinfo=UTC)
    return max((aware - now).total_seconds(), 0.0)


def _tls_identity(scheme: str, host: str) -> dict[str, Any]:
    """The connection goes to an address; the certificate must still be the name's."""
    return {"server_hostname": host, "assert_hostname": host} if scheme == "https" else {}


def _arrived(response: "urllib3.BaseHTTPResponse") -> Callable[[int], bytes]:
    """Reads what has come so far; ``read`` would wait until a chunk is full.

    Only urllib3 2 can. Where a runtime brings an older one, a dripping target is left to the
    supervisor, who gives up on it at the deadline.
    """
    arrived: Callable[[int], bytes] = getattr(response, "read1", response.read)
    return arrived


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
    """Of a long run: a header has room for a small checkpoint, and for a link to a large one."""
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


def _unanswered(error: HTTPError) -> Exception:
    match error:
        case NewConnectionError():  # Refused; the library counts it among the time-outs.
            return retryable("connection_failed", type(error).__name__, str(error))
        case ConnectTimeoutError() | ReadTimeoutError():
            return timed_out(f"{type(error).__name__}: {error}")
        case LocationParseError():
            return permanent("invalid_url", "InvalidUrl", str(error))
        case _:
            return retryable("connection_failed", type(error).__name__, str(error))
