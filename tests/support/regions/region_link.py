"""A way into clouds of two regions: a call goes to the cloud of the region that it is signed for.

AWS has one IAM for all regions and two local clouds have one each. So a call is signed anew with
the rights of the account; template tests hold the rights of functions on the other region.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from email.message import Message
from http.client import HTTPConnection, HTTPResponse
from http.server import BaseHTTPRequestHandler
from threading import Thread

from botocore.auth import SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials

from tests.support.deployed.fault_proxy import QuietServer

_ROOT = Credentials("test", "test")
_SCOPE = re.compile(r"Credential=[^/]+/\d+/([a-z0-9-]+)/([a-z0-9-]+)/aws4_request")
#: Headers of a call that its signature covers.
_SIGNED = ("content-type", "x-amz-target", "accept")
_SECONDS = 30
#: Headers of an answer that are this server's own.
_OWN = {"connection", "keep-alive", "transfer-encoding", "content-length", "date", "server"}


@dataclass
class RegionLink:
    """Forwards a call to the cloud of its region, or closes its connection."""

    #: The port of each region's cloud.
    ports: dict[str, int] = field(default_factory=dict)
    #: Regions that answer nothing.
    cut: set[str] = field(default_factory=set)
    port: int = 0

    @property
    def url(self) -> str:
        """Return the link's address."""
        return f"http://127.0.0.1:{self.port}"


class _Server(QuietServer):
    def __init__(self, link: RegionLink) -> None:
        super().__init__(_Handler)
        self.link = link
        link.port = self.server_address[1]


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("content-length") or 0))
        found = _SCOPE.search(self.headers.get("authorization", ""))
        region, service = found.groups() if found else ("", "")
        link = self.server.link
        if region not in link.ports or region in link.cut:
            self.close_connection = True
            return
        response, answer = self._asked(link.ports[region], region, service, body)
        with suppress(ConnectionError):
            self.send_response(response.status)
            for name, value in response.getheaders():
                if name.lower() not in _OWN:
                    self.send_header(name, value)
            self.send_header("Content-Length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

    def _asked(
        self, port: int, region: str, service: str, body: bytes
    ) -> tuple[HTTPResponse, bytes]:
        url = f"http://localhost:{port}{self.path}"
        connection = HTTPConnection("localhost", port, timeout=_SECONDS)
        try:
            headers = _signed(url, self.headers, body, region, service)
            connection.request("POST", self.path, body, headers)
            response = connection.getresponse()
            return response, response.read()
        finally:
            connection.close()

    def log_message(self, *_: object) -> None:
        """Say nothing."""


def _signed(
    url: str, headers: "Message[str, str]", body: bytes, region: str, service: str
) -> dict[str, str]:
    kept = {name: headers[name] for name in _SIGNED if name in headers}
    request = AWSRequest(method="POST", url=url, data=body, headers=kept)
    SigV4Auth(_ROOT, service, region).add_auth(request)
    return dict(request.headers.items())


@contextmanager
def region_link() -> Iterator[RegionLink]:
    """Serve one on a free port of this machine."""
    link = RegionLink()
    server = _Server(link)
    Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
    try:
        yield link
    finally:
        server.shutdown()
        server.server_close()
