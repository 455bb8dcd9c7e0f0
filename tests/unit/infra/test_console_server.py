"""The console's local server: production's headers and cache rules, pages, and nothing outside."""

import json
import socket
import threading
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from infra.constructs.console.headers import IMMUTABLE, REVALIDATED, content_policy
from infra.local.console.server import ConsoleServer
from infra.local.console.site import ConsoleSite, is_free, stop_console

API, ISSUER = "http://localhost:4566", "http://localhost:4567"


@pytest.fixture
def console(tmp_path: Path) -> Iterator[httpx.Client]:
    """A server of a small console."""
    dist = tmp_path / "dist"
    (dist / "assets").mkdir(parents=True)
    (dist / "index.html").write_text("<html>")
    (dist / "assets" / "index-1a.js").write_text("run()")
    (tmp_path / "secret").write_text("of none")
    config = tmp_path / "config.json"
    config.write_text(json.dumps({"api_url": f"{API}/path", "token_url": f"{ISSUER}/oauth2/token"}))
    server = ConsoleServer(0, dist, config)
    threading.Thread(target=server.serve_forever, args=[0.01], daemon=True).start()
    with httpx.Client(base_url=f"http://localhost:{server.server_port}") as client:
        yield client
    server.shutdown()
    server.server_close()


@pytest.mark.parametrize("path", ["/", "/jobs", "/jobs/a.b", "/signed-in?code=1"])
def test_every_path_of_a_page_is_the_one_document(console: httpx.Client, path: str) -> None:
    """The console reads the path; a browser asks for the document anew each time."""
    answer = console.get(path)

    assert (answer.status_code, answer.text) == (200, "<html>")
    assert answer.headers["cache-control"] == REVALIDATED


def test_assets_never_change_and_missing_ones_are_missing(console: httpx.Client) -> None:
    """Their names do; a document in place of a script would only confuse."""
    asset = console.get("/assets/index-1a.js")

    assert asset.headers["cache-control"] == IMMUTABLE
    assert asset.headers["content-type"].endswith("javascript")
    assert console.get("/assets/index-0.js").status_code == 404


def test_the_stage_is_described_and_never_cached(console: httpx.Client) -> None:
    """The console reads this description when it starts."""
    answer = console.get("/config.json")

    assert answer.json()["api_url"] == f"{API}/path"
    assert answer.headers["cache-control"] == REVALIDATED


@pytest.mark.parametrize("path", ["/../secret", "/..%2fsecret", "/%2e%2e/secret", "//etc/passwd"])
def test_nothing_outside_the_folder_is_served(console: httpx.Client, path: str) -> None:
    """No spelling of a path leads outside."""
    answer = console.get(path)

    assert answer.text in {"<html>", ""} or answer.status_code == 404


def test_pages_run_their_own_scripts_and_call_api_and_issuer_alone(console: httpx.Client) -> None:
    """No inline script, no embedding, no other origin."""
    headers = console.get("/").headers
    policy = headers["content-security-policy"]
    directives = dict(each.split(" ", 1) for each in policy.split("; "))

    assert directives["default-src"] == "'none'"
    assert directives["script-src"] == "'self'"
    assert directives["connect-src"] == f"'self' {API} {ISSUER}"
    assert directives["frame-ancestors"] == "'none'"
    assert policy == content_policy([API, ISSUER])
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"


def test_a_record_of_a_server_that_is_gone_stops_no_new_one(tmp_path: Path) -> None:
    """Its number may be another program's by now."""
    record = tmp_path / "console.json"
    record.write_text(json.dumps({"pid": 1, "port": 8123}))

    assert ConsoleSite.running(tmp_path) is None
    assert stop_console(tmp_path) == 8123
    assert not record.exists()
    assert stop_console(tmp_path) is None


def test_a_port_is_taken_while_a_server_listens_there(console: httpx.Client) -> None:
    """The local console takes the port to which messages link, if no other program has it."""
    port = console.base_url.port
    assert port is not None
    assert not is_free(port)
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        assert is_free(unused.getsockname()[1])
