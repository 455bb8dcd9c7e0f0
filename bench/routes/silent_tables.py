"""A DynamoDB on loopback that answers each call at once, and holds nothing.

Callers spend processor time on their calls, and wait for none: ``serving`` starts it in a process
of its own, and points clients to it.
"""

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

#: Answers by operation; any other one is empty.
_ANSWERS: Mapping[str, Mapping[str, object]] = {
    "BatchGetItem": {"Responses": {}, "UnprocessedKeys": {}},
    "Query": {"Items": [], "Count": 0, "ScannedCount": 0},
}


class _Tables(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # Headers and body of an answer leave together.
    wbufsize = -1

    def do_POST(self) -> None:
        """Answer a call."""
        self.rfile.read(int(self.headers["Content-Length"]))
        operation = self.headers["X-Amz-Target"].rpartition(".")[2]
        body = json.dumps(_ANSWERS.get(operation, {})).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/x-amz-json-1.0")
        self.send_header("x-amzn-RequestId", "1")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Write nothing."""


@contextmanager
def serving() -> Iterator[None]:
    """Serve while the block runs; clients of this process find it by their variables."""
    command = [sys.executable, "-m", __name__]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:  # noqa: S603 - own
        assert process.stdout is not None
        port = process.stdout.readline().strip()
        os.environ["AWS_ENDPOINT_URL_DYNAMODB"] = f"http://127.0.0.1:{port}"
        try:
            yield
        finally:
            del os.environ["AWS_ENDPOINT_URL_DYNAMODB"]
            process.terminate()


def main() -> None:
    """Print the port, and serve until the process is stopped."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Tables)
    sys.stdout.write(f"{server.server_port}\n")
    sys.stdout.flush()
    server.serve_forever()


if __name__ == "__main__":
    main()
