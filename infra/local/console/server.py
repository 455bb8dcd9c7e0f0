"""``python -m infra.local.console.server PORT DIST CONFIG``: the console's files on this machine.

With the headers and cache rules that the stack's distribution sends.
"""

import json
import sys
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from mimetypes import guess_type
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from infra.constructs.console.headers import ASSETS, cache_rule, security_headers


class ConsoleServer(ThreadingHTTPServer):
    """One folder of files, and one description of a stage."""

    daemon_threads = True

    def __init__(self, port: int, dist: Path, config: Path) -> None:
        super().__init__(("127.0.0.1", port), _Handler)
        self.dist = dist.resolve()
        self.described = config.read_bytes()
        told: dict[str, Any] = json.loads(self.described)
        origins = {_origin(told[name]) for name in ("api_url", "token_url")}
        self.headers = security_headers(sorted(origins))


class _Handler(BaseHTTPRequestHandler):
    server: ConsoleServer

    def do_GET(self) -> None:
        path = unquote(urlsplit(self.path).path)
        if path == "/config.json":
            self._send(path, self.server.described, "application/json")
            return
        file = self._file(path)
        if file is None:
            self.send_error(HTTPStatus.NOT_FOUND)
            return
        self._send(path, file.read_bytes(), guess_type(file.name)[0] or "application/octet-stream")

    def _file(self, path: str) -> Path | None:
        """Return the file of a path; paths of pages have none, and are the page's to read."""
        asked = (self.server.dist / path.lstrip("/")).resolve()
        if asked.is_relative_to(self.server.dist) and asked.is_file():
            return asked
        return None if path.startswith(ASSETS) else self.server.dist / "index.html"

    def _send(self, path: str, body: bytes, media_type: str) -> None:
        self.send_response(HTTPStatus.OK)
        for name, text in self.server.headers.items():
            self.send_header(name, text)
        self.send_header("Cache-Control", cache_rule(path))
        self.send_header("Content-Type", media_type)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - as the base names it
        """Stay silent: addresses of sign-ins hold codes."""


def _origin(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"


if __name__ == "__main__":
    ConsoleServer(int(sys.argv[1]), Path(sys.argv[2]), Path(sys.argv[3])).serve_forever()
