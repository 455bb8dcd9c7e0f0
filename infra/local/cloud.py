"""The emulator's process: started in a group of its own, stopped by its own pid."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

import httpx

from infra.local.clock import CloudClock

REGION = "us-east-1"
ACCOUNT = "000000000000"
_EMULATOR = Path(__file__).with_name("emulator.py")
START_SECONDS = 60.0
STOP_SECONDS = 15.0
#: What the emulator and its Lambda workers may inherit; a shell full of AWS settings may not.
_INHERITED = ("PATH", "HOME", "TMPDIR", "LANG", "LC_ALL", "SSL_CERT_FILE")


class CloudFailed(RuntimeError):
    """The emulator did not come up."""


@dataclass(frozen=True, kw_only=True)
class LocalCloud:
    """One running emulator."""

    pid: int
    port: int
    #: IAM policies are enforced.
    auth: bool
    #: Where its log and its record are kept.
    home: str
    #: Its handle, for the process that started it; another one knows the pid only.
    process: "subprocess.Popen[bytes] | None" = field(default=None, repr=False, compare=False)
    #: The clock it lives by; ``None``: this machine's.
    clock: CloudClock | None = field(default=None, repr=False, compare=False)

    @property
    def endpoint(self) -> str:
        """The address of every service."""
        return f"http://localhost:{self.port}"

    @property
    def environment(self) -> dict[str, str]:
        """Return the variables with which a program uses this cloud instead of AWS."""
        return {
            "AWS_ENDPOINT_URL": self.endpoint,
            "AWS_ACCESS_KEY_ID": "test",
            "AWS_SECRET_ACCESS_KEY": "test",
            "AWS_REGION": REGION,
            "AWS_DEFAULT_REGION": REGION,
        }

    @classmethod
    def start(cls, home: Path, *, auth: bool = False, settable: bool = False) -> Self:
        """Start an emulator on a free port and wait until it answers; raises ``CloudFailed``.

        A ``settable`` clock shows this machine's time until it is set.
        """
        home.mkdir(parents=True, exist_ok=True)
        port = _free_port()
        clock = CloudClock.running(home / "clock") if settable else None
        environment = _process_environment(port, home, auth=auth)
        with (home / "cloud.log").open("wb") as log:
            process = subprocess.Popen(  # noqa: S603 - a program of ours
                # Not from this folder: its modules must not hide others of the same name.
                [sys.executable, "-P", str(_EMULATOR)],
                env=environment | (clock.environment if clock else {}),
                stdout=log,
                stderr=subprocess.STDOUT,
                stdin=subprocess.DEVNULL,
                start_new_session=True,
            )
        cloud = cls(
            pid=process.pid, port=port, auth=auth, home=str(home), process=process, clock=clock
        )
        cloud._wait_until_up(process)
        record = {"pid": cloud.pid, "port": port, "auth": auth, "home": cloud.home}
        (home / "cloud.json").write_text(json.dumps(record))
        return cloud

    @classmethod
    def running(cls, home: Path) -> Self | None:
        """The emulator whose record is kept here, if it still answers."""
        try:
            cloud = cls(**json.loads((home / "cloud.json").read_text()))
        except FileNotFoundError:
            return None
        return cloud if cloud.answers() else None

    def answers(self) -> bool:
        """Tell if the cloud is up."""
        try:
            return httpx.get(f"{self.endpoint}/_ministack/health", timeout=2).is_success
        except httpx.HTTPError:
            return False

    def stop(self) -> None:
        """Stop it and every Lambda worker it started."""
        (Path(self.home) / "cloud.json").unlink(missing_ok=True)
        _signal(self.pid, signal.SIGTERM)
        deadline = time.monotonic() + STOP_SECONDS
        while self._is_alive() and time.monotonic() < deadline:
            time.sleep(0.05)
        _signal(self.pid, signal.SIGKILL)
        if self.process is not None:
            self.process.wait()

    def _is_alive(self) -> bool:
        if self.process is not None:
            return self.process.poll() is None
        return Path(f"/proc/{self.pid}").exists()

    def _wait_until_up(self, process: "subprocess.Popen[bytes]") -> None:
        deadline = time.monotonic() + START_SECONDS
        while not self.answers():
            if process.poll() is not None or time.monotonic() > deadline:
                _signal(self.pid, signal.SIGKILL)
                raise CloudFailed(f"The local cloud did not start; see {self.home}/cloud.log.")
            time.sleep(0.1)


def _process_environment(port: int, home: Path, *, auth: bool) -> dict[str, str]:
    inherited = {name: os.environ[name] for name in _INHERITED if name in os.environ}
    return inherited | {
        "GATEWAY_PORT": str(port),
        "BIND_HOST": "127.0.0.1",
        "AUTH": "true" if auth else "false",
        "STATE_DIR": str(home / "state"),
        "MINISTACK_REGION": REGION,
        "AWS_DEFAULT_REGION": REGION,
        "AWS_ACCESS_KEY_ID": "test",
        "AWS_SECRET_ACCESS_KEY": "test",
        # Idle workers stay for a whole session, however far its clock is set: a cold start is not
        # what is looked at here.
        "LAMBDA_WARM_TTL_SECONDS": str(10**9),
        "PYTHONUNBUFFERED": "1",
    }


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _signal(pid: int, number: signal.Signals) -> None:
    """Signal the whole group, workers included."""
    try:
        os.killpg(pid, number)
    except ProcessLookupError:
        return
