"""The end of a sign-in: the issuer sends the browser to a port of this machine."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from hmac import compare_digest
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, HTTPServer
from urllib.parse import parse_qs, urlsplit

from timegate.client.errors import CredentialsError
from timegate.domain.tenants.people import SIGN_IN_RETURNS

#: Nothing but this machine reaches it.
_HOST = "127.0.0.1"
_DONE = "You are signed in. Close this window and go back to the terminal."
_NOT_DONE = "The sign-in was refused. The terminal says why."
_TURN_SECONDS = 1.0


class Loopback(HTTPServer):
    """A server for one answer of the issuer."""

    #: The first of two programs with one port would take the other's code.
    allow_reuse_address = False

    def __init__(self, returns_to: str) -> None:
        self.returns_to = returns_to
        place = urlsplit(returns_to)
        super().__init__((_HOST, place.port or 0), _Answer)
        self.path = place.path
        self.timeout = _TURN_SECONDS
        #: The sign-in that is waited for; the answer to any other is not found.
        self.state = ""
        #: The query of the issuer's answer.
        self.answered: dict[str, list[str]] | None = None

    def wait_for_code(self, state: str, *, seconds: float) -> str:
        """Return the code of the sign-in; raises ``CredentialsError``."""
        self.state, deadline = state, time.monotonic() + seconds
        while self.answered is None:
            if time.monotonic() > deadline:
                detail = f"No sign-in came within {seconds:.0f} s."
                raise CredentialsError("sign_in_timed_out", detail)
            self.handle_request()
        answered = {name: values[0] for name, values in self.answered.items()}
        if "code" not in answered:
            why = answered.get("error_description") or answered.get("error") or "it sent no code"
            raise CredentialsError("sign_in_refused", f"The issuer refused the sign-in: {why}")
        return answered["code"]


class _Answer(BaseHTTPRequestHandler):
    server: Loopback
    #: A connection that says nothing holds up no other.
    timeout = _TURN_SECONDS

    def do_GET(self) -> None:
        """Take the issuer's answer; anything else is not found."""
        asked = urlsplit(self.path)
        query = parse_qs(asked.query)
        told = query.get("state", [""])[0].encode()
        is_ours = compare_digest(told, self.server.state.encode())
        if asked.path != self.server.path or not is_ours:
            self.send_error(HTTPStatus.NOT_FOUND)
            return
        self.server.answered = query
        text = (_DONE if "code" in query else _NOT_DONE).encode()
        self.send_response(HTTPStatus.OK)
        self.send_header("Content-Type", "text/plain; charset=utf-8")
        self.send_header("Content-Length", str(len(text)))
        self.send_header("Cache-Control", "no-store")
        self.send_header("Referrer-Policy", "no-referrer")
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *_: object) -> None:
        """Keep the code out of the terminal."""


@contextmanager
def listening() -> Iterator[Loopback]:
    """A server at one of the addresses that issuers know; raises ``CredentialsError``."""
    for returns_to in SIGN_IN_RETURNS:
        try:
            server = Loopback(returns_to)
        except OSError:
            continue
        with server:
            yield server
        return
    detail = f"Other programs have all of {', '.join(SIGN_IN_RETURNS)}."
    raise CredentialsError("no_port", detail)
