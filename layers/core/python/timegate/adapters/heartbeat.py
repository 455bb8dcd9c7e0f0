"""Heartbeats over HTTPS: one call of the operator's address, without a retry."""

from http import HTTPStatus
from urllib.parse import urlsplit

from timegate.domain.values.tenant import TenantId
from timegate.ports.call_runner import TargetFailed

#: A tick waits no longer for the answer.
TIMEOUT_SECONDS = 5.0
_HTTPS_PORT = 443
#: No tenant's name begins with a ``#``: the connection is none of theirs.
_OPERATOR = TenantId("#operator")


class HttpHeartbeat:
    """Calls an address; ``{group}`` in it is the number of the group's first shard."""

    def __init__(self, url: str) -> None:
        self._url = url

    def beat(self, group: int) -> str | None:
        """Send one ``GET``; return why it failed, or ``None``."""
        if not self._url:
            return None
        try:
            status = _get(self._url.replace("{group}", str(group)))
        except TargetFailed as failed:
            return failed.failure.message
        is_success = HTTPStatus.OK <= status < HTTPStatus.MULTIPLE_CHOICES
        return None if is_success else f"The address answered {status}."


def _get(address: str) -> int:
    """Return the status of the answer; raises ``TargetFailed``."""
    # Imported here: stages without an address need no client.
    from timegate.adapters.targets.http.client import HttpClient  # noqa: PLC0415
    from timegate.adapters.targets.http.deadline import Deadline  # noqa: PLC0415
    from timegate.adapters.targets.http.messages import HttpRequest  # noqa: PLC0415
    from timegate.adapters.targets.http.safe_address import SafeAddresses  # noqa: PLC0415

    url = urlsplit(address)
    host = url.hostname or ""
    request = HttpRequest(
        tenant=_OPERATOR,
        scheme=url.scheme,
        host=host,
        port=url.port or _HTTPS_PORT,
        method="GET",
        target=(url.path or "/") + (f"?{url.query}" if url.query else ""),
        headers={"Host": url.netloc, "User-Agent": "timegate", "Accept-Encoding": "identity"},
        body=b"",
    )
    # The operator chose the host, which may lie in a network of his own.
    sender = HttpClient(SafeAddresses(private_hosts=(host,)))
    try:
        return sender.send(request, Deadline.after(TIMEOUT_SECONDS)).status
    finally:
        sender.close()
