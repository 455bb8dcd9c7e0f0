"""The emulator's process: started in a group of its own, stopped by its own pid."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
import zlib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

import boto3
import httpx
from botocore.config import Config

from infra.local.clock import CloudClock

REGION = "us-east-1"
ACCOUNT = "000000000000"
_EMULATOR = Path(__file__).with_name("emulator.py")
_RECORDED = ("pid", "port", "auth", "home", "snapshot_seconds", "region")
START_SECONDS = 60.0
STOP_SECONDS = 15.0
#: A kept cloud writes its state before it ends.
KEPT_STOP_SECONDS = 120.0
#: The sockets of a killed cloud close within it.
PORT_SECONDS = 5.0
#: The folder of a cloud's state, in its home.
STATE = "state"
#: For an answer of a function: a cold start on a busy machine takes its time.
ANSWER_SECONDS = 240
#: Outside the range from which the kernel takes ports for connections: queues are named by the
#: port, so that a kept cloud needs the same one again.
_KEPT_PORTS = range(20_000, 30_000)
#: The variable that gives the emulator the seconds between two snapshots.
SNAPSHOTS = "TIMEGATE_SNAPSHOT_SECONDS"
#: Variables that the emulator and its Lambda workers inherit; others may be AWS settings of a
#: shell.
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
    #: Between two copies of its state on disk; ``None``: nothing is kept.
    snapshot_seconds: float | None = None
    region: str = REGION
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
            "AWS_REGION": self.region,
            "AWS_DEFAULT_REGION": self.region,
        }

    def client(self, service: str) -> Any:  # noqa: ANN401 - of any service
        """Return a boto3 client of the account itself, which has every right.

        No call is repeated, so that a function is invoked once.
        """
        return boto3.client(
            service,  # type: ignore[call-overload]
            endpoint_url=self.endpoint,
            region_name=self.region,
            aws_access_key_id="test",
            aws_secret_access_key="test",  # noqa: S106 - the emulator's root credentials
            config=Config(read_timeout=ANSWER_SECONDS, retries={"total_max_attempts": 1}),
        )

    @classmethod
    def start(
        cls,
        home: Path,
        *,
        auth: bool = False,
        settable: bool = False,
        snapshot_seconds: float | None = None,
        person: str | None = None,
        authority: Path | None = None,
        minute_seconds: float = 60,
        region: str = REGION,
    ) -> Self:
        """Start an emulator on a free port and wait until it answers; raises ``CloudFailed``.

        A ``settable`` clock shows this machine's time until it is set. With ``snapshot_seconds``
        the cloud goes on with the state, and on the port, of the one before it in ``home``; it
        saves its state that often, and when it stops. Without, nothing is kept. The page on which
        people sign in is filled in for ``person``: a name, a space and a password. Functions trust
        the ``authority`` in this file, and no other. A minute of alarms lasts ``minute_seconds``.
        """
        home.mkdir(parents=True, exist_ok=True)
        port = kept_port(home) if snapshot_seconds else free_port()
        clock = CloudClock.running(home / "clock") if settable else None
        environment = _process_environment(port, home, auth=auth, region=region)
        environment["TIMEGATE_CLOUD_MINUTE"] = str(minute_seconds)
        if authority:
            environment["SSL_CERT_FILE"] = str(authority)
        if person:
            environment["TIMEGATE_CLOUD_PERSON"] = person
        if snapshot_seconds:
            environment |= {
                "PERSIST_STATE": "1",
                "S3_PERSIST": "1",
                "S3_DATA_DIR": str(home / STATE / "s3"),
                SNAPSHOTS: str(snapshot_seconds),
            }
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
            pid=process.pid,
            port=port,
            auth=auth,
            home=str(home),
            snapshot_seconds=snapshot_seconds,
            region=region,
            process=process,
            clock=clock,
        )
        cloud._wait_until_up(process)
        record = {name: getattr(cloud, name) for name in _RECORDED}
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
        deadline = time.monotonic() + (KEPT_STOP_SECONDS if self.snapshot_seconds else STOP_SECONDS)
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


def _process_environment(port: int, home: Path, *, auth: bool, region: str) -> dict[str, str]:
    inherited = {name: os.environ[name] for name in _INHERITED if name in os.environ}
    return inherited | {
        "GATEWAY_PORT": str(port),
        "BIND_HOST": "127.0.0.1",
        "AUTH": "true" if auth else "false",
        "STATE_DIR": str(home / STATE),
        "MINISTACK_REGION": region,
        "AWS_DEFAULT_REGION": region,
        "AWS_ACCESS_KEY_ID": "test",
        "AWS_SECRET_ACCESS_KEY": "test",
        # Idle workers stay for a whole session, however far its clock is set: a cold start is not
        # what is looked at here.
        "LAMBDA_WARM_TTL_SECONDS": str(10**9),
        "PYTHONUNBUFFERED": "1",
    }


def kept_port(home: Path) -> int:
    """Return the port of the cloud kept in ``home``; a new one gets one that is free.

    Raises ``CloudFailed`` if another program listens on it. The sockets of a cloud that was killed
    may outlive its process by a moment, so that the port has ``PORT_SECONDS`` to become free.
    """
    file = home / STATE / "port"
    if not file.exists():
        file.parent.mkdir(parents=True, exist_ok=True)
        # Another checkout's cloud most likely keeps another port.
        first = zlib.crc32(str(home.resolve()).encode()) % len(_KEPT_PORTS)
        ports = (*_KEPT_PORTS[first:], *_KEPT_PORTS[:first])
        file.write_text(str(next(port for port in ports if _is_free(port))))
    port = int(file.read_text())
    deadline = time.monotonic() + PORT_SECONDS
    while not _is_free(port):
        if time.monotonic() < deadline:
            time.sleep(0.05)
            continue
        raise CloudFailed(
            f"Port {port} is in use, and the kept cloud's queues are named by it. End the program "
            "that listens there, or empty the local stack with make local-reset."
        )
    return port


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        # Servers do the same: a port whose last connections are still closing is free.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True


def free_port() -> int:
    """Return a port on which nothing listens."""
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
