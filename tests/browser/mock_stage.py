"""A stage of examples: the console's files, an issuer that signs in at once, an API of samples."""

import json
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import Page, Route

from infra.constructs.console.described_stage import SignIn, described_stage
from infra.local.console.server import ConsoleServer
from infra.local.console.site import DIST
from infra.local.deployment import ROOT

API = "https://api.timegate.test"
ISSUER = "https://issuer.timegate.test"
TOKEN = "a-token-that-nothing-shows"
JOB_ID = "bwjvcytzr72gxmnvxjbslykqdc"
#: Parameters of addresses; any other may have any value.
PARAMETERS = {
    "jobId": JOB_ID,
    "job_id": JOB_ID,
    "run_id": f"{JOB_ID}.s20261121T090000000Z",
}
ROLES = ("read", "write", "operate", "admin")
_PAGE = re.compile(r'^    path: "(?P<path>[^"]+)",\n    title: "(?P<title>[^"]+)"', re.MULTILINE)


@contextmanager
def serving(folder: Path) -> Iterator[str]:
    """The address of the console's files, with the headers of a stage."""
    config = folder / "config.json"
    sign_in = SignIn.at_pool(ISSUER, "console")
    config.write_text(json.dumps(described_stage("samples", API, sign_in, prefix="timegate")))
    server = ConsoleServer(0, DIST, config)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://localhost:{server.server_address[1]}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@dataclass
class MockStage:
    """Answers of the API and of the issuer to one window."""

    #: By method and path: bodies that stand for the description's examples.
    answers: dict[str, Any] = field(default_factory=dict)
    scopes: tuple[str, ...] = ROLES

    def attend(self, page: Page) -> None:
        """Answer what the window asks."""
        page.route(f"{ISSUER}/oauth2/authorize**", _sign_in)
        page.route(f"{ISSUER}/oauth2/token", _grant)
        page.route(f"{API}/**", self._answer)

    def _answer(self, route: Route) -> None:
        method, path = route.request.method, urlsplit(route.request.url).path
        body = self.answers.get(f"{method} {path}")
        if body is None and path == "/v1/tenant":
            body = {**example(method, path), "scopes": [f"timegate/{each}" for each in self.scopes]}
        status, body = (200, body) if body is not None else _sample(method, path)
        _send(route, body, status=status)


def addresses() -> list[str]:
    """One address of each page that the console has."""
    return [_filled(path) for path in titles()]


def titles() -> dict[str, str]:
    """Titles of all pages, by their routes."""
    text = (ROOT / "console" / "src" / "app" / "pages.ts").read_text()
    return {found["path"]: found["title"] for found in _PAGE.finditer(text)}


def example(method: str, path: str) -> dict[str, Any]:
    """The answer that the description shows for an operation."""
    return dict(_sample(method, path)[1])


def _filled(path: str) -> str:
    return re.sub(r":(\w+)", lambda found: PARAMETERS.get(found[1], "sample"), path)


@cache
def _description() -> dict[str, Any]:
    read: dict[str, Any] = json.loads((ROOT / "docs" / "reference" / "openapi.json").read_text())
    return read


@cache
def _sample(method: str, path: str) -> tuple[int, Any]:
    """Status and body of the operation whose path this is; one without an example is refused."""
    for template, operations in _description()["paths"].items():
        pattern = re.sub(r"\{\w+\}", "[^/]+", template)
        responses = operations.get(method.lower(), {}).get("responses", {})
        if re.fullmatch(pattern, path) is None:
            continue
        for status, response in responses.items():
            content = response.get("content", {}).get("application/json", {})
            if status.startswith("2") and "example" in content:
                return int(status), content["example"]
    problem = {"type": "", "title": "", "status": 404, "code": "not_found", "detail": "No example."}
    return 404, {**problem, "errors": [], "instance": "", "request_id": "r-1", "quota": None}


def _sign_in(route: Route) -> None:
    asked = parse_qs(urlsplit(route.request.url).query)
    place = f"{asked['redirect_uri'][0]}?code=a-code&state={asked['state'][0]}"
    route.fulfill(status=302, headers={"Location": place})


def _grant(route: Route) -> None:
    granted = {"access_token": TOKEN, "refresh_token": f"{TOKEN}-anew", "expires_in": 900}
    _send(route, granted)


def _send(route: Route, body: object, *, status: int = 200) -> None:
    headers = {
        "Access-Control-Allow-Origin": "*",
        "Access-Control-Allow-Headers": "*",
        "Access-Control-Allow-Methods": "*",
        "Access-Control-Expose-Headers": "*",
        "Content-Type": "application/json",
    }
    route.fulfill(status=status, headers=headers, body=json.dumps(body))
