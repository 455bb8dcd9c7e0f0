"""An API that answers what a test tells it to, and remembers what it was asked."""

import base64
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import httpx

from tests.functional.api.described import check_sample, damage_of

API_URL = "https://api.example.com/stage"
#: A host whose addresses are enough: a request to it is sent no token.
FILES_HOST = "files.example.com"
TOKEN_URL = "https://tokens.example.com/oauth2/token"
PROFILE = {
    "api_url": API_URL,
    "token_url": TOKEN_URL,
    "client_id": "first",
    "client_secret": "s3cret",
    "scopes": ["timegate/read", "timegate/write"],
    "region": "us-east-1",
}

SVG = "image/svg+xml"
Answer = httpx.Response | Exception
#: Marks an answer that no operation gives.
PLACEHOLDER = {"placeholder": True}
#: Marks a page of a listing, which says of damaged rows what its description says.
_PAGE = {"page": True}


def placeholder(body: object, status: int = 200) -> httpx.Response:
    """An answer that no operation gives, for tests of how requests travel."""
    return httpx.Response(status, json=body, extensions=PLACEHOLDER)


def ok(body: object, status: int = 200) -> httpx.Response:
    """An answer of JSON, which must be one that the operation may give."""
    return httpx.Response(status, json=body)


def refusal(status: int, code: str, detail: str = "No.", **headers: str) -> httpx.Response:
    """A problem as the API writes it."""
    body = {"status": status, "code": code, "title": "T", "detail": detail, "errors": []}
    return httpx.Response(status, json={**body, "request_id": "req-1"}, headers=headers)


def picture(text: str = "<svg/>\n") -> httpx.Response:
    """A picture."""
    return httpx.Response(200, text=text, headers={"content-type": SVG})


@dataclass
class FakeApi:
    """Answers in the order given; the last answer is given again and again."""

    answers: list[Answer] = field(default_factory=lambda: [placeholder({})])
    token_answer: Callable[[int], Answer] = lambda number: ok({"access_token": f"token-{number}"})
    calls: list[httpx.Request] = field(default_factory=list)
    token_calls: list[httpx.Request] = field(default_factory=list)
    #: The token of every call.
    tokens: list[str] = field(default_factory=list)
    #: Tokens that are refused, whatever is asked.
    expired: set[str] = field(default_factory=set)

    def will(self, *answers: Answer) -> None:
        """Give these answers."""
        self.answers = list(answers)

    @property
    def transport(self) -> httpx.MockTransport:
        """The way to it, without a network."""
        return httpx.MockTransport(self._serve)

    @property
    def asked(self) -> list[str]:
        """Method and path of every call, as they went out."""
        host = API_URL.removeprefix("https://api.example.com")
        return [
            f"{call.method} {call.url.raw_path.decode().removeprefix(host)}" for call in self.calls
        ]

    @property
    def body(self) -> Any:  # noqa: ANN401 - any JSON
        """The JSON of the last call."""
        return json.loads(self.calls[-1].content)

    def _serve(self, request: httpx.Request) -> httpx.Response:
        if str(request.url) == TOKEN_URL:
            self.token_calls.append(request)
            return _give(self.token_answer(len(self.token_calls)))
        self.calls.append(request)
        if request.url.host == FILES_HOST:
            return _give(self._next())
        # Read now: a request that is sent again is the same object with another token.
        self.tokens.append(request.headers["Authorization"].removeprefix("Bearer "))
        if self.tokens[-1] in self.expired:
            return refusal(401, "unauthorized")
        return _give(_checked(request, self._next()))

    def _next(self) -> Answer:
        return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]


def basic(request: httpx.Request) -> str:
    """The name and password a request shows."""
    return base64.b64decode(request.headers["Authorization"].removeprefix("Basic ")).decode()


def page(items: Sequence[object], cursor: str | None = None) -> httpx.Response:
    """A page of a listing."""
    body = {"items": list(items), "next_cursor": cursor}
    return httpx.Response(200, json=body, extensions=_PAGE)


def _checked(request: httpx.Request, answer: Answer) -> Answer:
    """Hold an answer against the description, so that no sample differs from what is served."""
    if isinstance(answer, Exception) or not answer.is_success:
        return answer
    if "placeholder" in answer.extensions:
        return answer
    if request.headers.get("accept") == SVG:
        return answer
    body, path = answer.json(), request.url.path.removeprefix("/stage").removeprefix("/key")
    if "page" in answer.extensions:
        body = damage_of(request.method, path) | body
    check_sample(request.method, path, answer.status_code, body)
    return httpx.Response(answer.status_code, json=body, headers=answer.headers)


def _give(answer: Answer) -> httpx.Response:
    if isinstance(answer, Exception):
        raise answer
    # A response can be read once; the same answer may be given again.
    return httpx.Response(answer.status_code, content=answer.content, headers=answer.headers)
