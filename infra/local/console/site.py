"""The console's server: started in a group of its own, stopped by its own pid."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import httpx

from infra.constructs.console.described_stage import SignIn, described_stage
from infra.local.access import api_url
from infra.local.cloud import START_SECONDS, LocalCloud, free_port
from infra.local.console.people import make_people, open_to
from infra.local.deployment import ROOT, Outputs

#: Files of the console, once ``make console`` has built them.
DIST = ROOT / "console" / "dist"
_SERVER = "infra.local.console.server"
_RECORD = "console.json"
STOP_SECONDS = 5.0


class ConsoleFailed(RuntimeError):
    """The console's server did not come up."""


@dataclass(frozen=True, kw_only=True)
class ConsoleSite:
    """One running server."""

    pid: int
    port: int
    #: Its handle, for the process that started it; another one knows the pid only.
    process: "subprocess.Popen[bytes] | None" = field(default=None, repr=False, compare=False)

    @property
    def url(self) -> str:
        """The address of the console."""
        return f"http://localhost:{self.port}"

    @classmethod
    def start(
        cls, cloud: LocalCloud, outputs: Outputs, *, dist: Path = DIST, wanted: int | None = None
    ) -> "ConsoleSite":
        """Make people, serve the files in ``dist`` for this cloud; raises ``ConsoleFailed``.

        One that runs already is stopped first: what is deployed may have changed. ``wanted`` is its
        port if no other program listens there.
        """
        home = Path(cloud.home)
        before = stop_console(home)
        port = wanted if wanted is not None and is_free(wanted) else before or free_port()
        make_people(cloud, outputs)
        open_to(cloud, outputs, f"http://localhost:{port}")
        config = home / "config.json"
        config.write_text(json.dumps(_described(cloud, outputs)))
        with (home / "console.log").open("wb") as log:
            process = subprocess.Popen(  # noqa: S603 - our own interpreter and our own module
                [sys.executable, "-m", _SERVER, str(port), str(dist), str(config)],
                cwd=ROOT,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        site = cls(pid=process.pid, port=port, process=process)
        (home / _RECORD).write_text(json.dumps({"pid": site.pid, "port": port}))
        site._wait(process)
        return site

    @classmethod
    def running(cls, home: Path) -> "ConsoleSite | None":
        """The server that runs beside the cloud of ``home``; ``None``: there is none."""
        record = home / _RECORD
        site = cls(**json.loads(record.read_text())) if record.exists() else None
        return site if site is not None and _is_ours(site.pid) else None

    def _wait(self, process: "subprocess.Popen[bytes]") -> None:
        ends = time.monotonic() + START_SECONDS
        while time.monotonic() < ends and process.poll() is None:
            try:
                httpx.get(f"{self.url}/config.json").raise_for_status()
            except httpx.HTTPError:
                time.sleep(0.1)
            else:
                return
        raise ConsoleFailed(f"The console's server does not answer at {self.url}.")


def stop_console(home: Path) -> int | None:
    """Stop the console that runs beside the cloud of ``home``; its port, or ``None`` for none."""
    record = home / _RECORD
    if not record.exists():
        return None
    site = ConsoleSite(**json.loads(record.read_text()))
    record.unlink()
    if not _is_ours(site.pid):
        return site.port
    os.killpg(site.pid, signal.SIGTERM)
    ends = time.monotonic() + STOP_SECONDS
    while time.monotonic() < ends and _is_ours(site.pid):
        time.sleep(0.05)
    return site.port


def is_free(port: int) -> bool:
    """Tell if a server can listen on a port of this machine."""
    with socket.socket() as tried:
        return tried.connect_ex(("127.0.0.1", port)) != 0


def _is_ours(pid: int) -> bool:
    """Tell if the process is the console's server, and not a later one of that number."""
    with suppress(ChildProcessError):
        os.waitpid(pid, os.WNOHANG)
    try:
        return _SERVER.encode() in Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return False


def _described(cloud: LocalCloud, outputs: Outputs) -> dict[str, object]:
    sign_in = SignIn.at_pool(cloud.endpoint, outputs["ConsoleClientId"])
    return described_stage("local", api_url(cloud, outputs), sign_in, prefix="timegate")
