"""The deployed stack under test: its API as two tenants, its parts, and its worker processes."""

import json
import os
import signal
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

import httpx

from infra.local.access import SCOPES, api_url, profile
from infra.local.cloud import ANSWER_SECONDS, LocalCloud
from infra.local.deployment import Outputs, deploy
from infra.rollout_choice import LIVE
from timegate.domain.actions.target_names import name_form
from timegate.domain.values.tenant import TenantId

Found = TypeVar("Found")
#: A busy machine takes this much longer for anything: a wait says how long it takes on an idle one.
BUSY_SECONDS = 60


@dataclass(frozen=True)
class Stack:
    """Timegate, deployed from its real template."""

    cloud: LocalCloud
    outputs: Outputs
    #: Closes every client that was made.
    clients: ExitStack = field(default_factory=ExitStack)

    @cached_property
    def api(self) -> httpx.Client:
        """The first tenant's client."""
        return self._client(self.outputs["UserPoolClientId"])

    @cached_property
    def other_api(self) -> httpx.Client:
        """The second tenant's."""
        return self._client(json.loads(self.outputs["TenantClientIds"])["second"])

    @cached_property
    def admin(self) -> httpx.Client:
        """That of the stage's administration."""
        return self._client(self.outputs["AdminClientId"], ["timegate/admin"])

    def client_of(self, name: str, scopes: Sequence[str]) -> httpx.Client:
        """Another client of a tenant of the stage, which may do less."""
        return self._client(self.tenant(name), scopes)

    def fresh_api(self) -> httpx.Client:
        """Another client of the first tenant, with a token of this moment; its user closes it."""
        return self._connected(self.outputs["UserPoolClientId"], SCOPES)

    def caller(self, credential: str | None = None, *, at: str = "") -> httpx.Client:
        """A client with a token or a key, or with neither; its user closes it.

        ``at``: the path under which the API takes keys. A call waits for cold starts on a busy
        machine; the API's own function has fifteen seconds for each.
        """
        return httpx.Client(
            base_url=f"{api_url(self.cloud, self.outputs)}{at}",
            headers={"authorization": f"Bearer {credential}"} if credential else {},
            timeout=ANSWER_SECONDS,
        )

    def by_key(self, key: str) -> httpx.Client:
        """A client that has a key and no token; its user closes it."""
        return self.caller(key, at="/key")

    def tenant(self, name: str) -> str:
        """The id of a tenant of the stage: that of its client."""
        return str(json.loads(self.outputs["TenantClientIds"])[name])

    def target(self, name: str, tenant: str = "first") -> str:
        """The name of a tenant's own target, as the allow-lists of the stage have it."""
        return f"timegate-target-{name_form(TenantId(self.tenant(tenant)))}-{name}"

    def aws(self, service: str) -> Any:  # noqa: ANN401 - whichever client it is
        """A boto3 client with the account's own rights."""
        return self.clients.enter_context(closing(self.cloud.client(service)))

    def invoke(self, output: str, event: Mapping[str, object]) -> Any:  # noqa: ANN401 - JSON
        """Invoke the function that an output names; its answer."""
        answer = self.aws("lambda").invoke(
            FunctionName=self.outputs[output], Qualifier=LIVE, Payload=json.dumps(event)
        )
        payload = json.loads(answer["Payload"].read() or "null")
        assert "FunctionError" not in answer, payload
        return payload

    def create_job(self, **fields: object) -> dict[str, Any]:
        """Create a job; its representation."""
        answer = self.api.post("/v1/jobs", json=fields)
        assert answer.status_code == 201, answer.text
        created: dict[str, Any] = answer.json()
        return created

    def runs(self, job_id: str) -> list[dict[str, Any]]:
        """The runs of a job, newest first."""
        items: list[dict[str, Any]] = self.api.get(f"/v1/jobs/{job_id}/runs").json()["items"]
        return items

    def wait_for_runs(
        self, job_id: str, count: int, *, state: str = "succeeded", seconds: float = 40.0
    ) -> list[dict[str, Any]]:
        """The runs of a job, once so many of them are in a state."""

        def enough() -> list[dict[str, Any]] | None:
            runs = self.runs(job_id)
            return runs if sum(run["state"] == state for run in runs) >= count else None

        return wait_until(enough, seconds=seconds, what=lambda: self.runs(job_id))

    def workers(self, function_name: str) -> list[int]:
        """The processes that run a function's handler now."""
        return [
            int(process.name)
            for process in Path("/proc").iterdir()
            if process.name.isdigit() and _runs(process, function_name, self.cloud.port)
        ]

    def function_of(self, pid: int) -> str | None:
        """Name the function whose handler a process runs; ``None``: it is gone."""
        return _variable(pid, b"AWS_LAMBDA_FUNCTION_NAME")

    def version_of(self, pid: int) -> str | None:
        """Name the version that a process runs."""
        return _variable(pid, b"AWS_LAMBDA_FUNCTION_VERSION")

    def kill_workers(self, function_name: str) -> int:
        """Kill them the hard way; how many there were."""
        workers = self.workers(function_name)
        for pid in workers:
            os.kill(pid, signal.SIGKILL)
        return len(workers)

    def _client(self, client_id: str, scopes: Sequence[str] = SCOPES) -> httpx.Client:
        return self.clients.enter_context(self._connected(client_id, scopes))

    def _connected(self, client_id: str, scopes: Sequence[str]) -> httpx.Client:
        access = profile(self.cloud, self.outputs, client_id)
        token = httpx.post(
            str(access["token_url"]),
            data={"grant_type": "client_credentials", "scope": " ".join(scopes)},
            auth=(client_id, str(access["client_secret"])),
            timeout=ANSWER_SECONDS,
        ).json()["access_token"]
        return self.caller(token)


def wait_until(
    look: Callable[[], Found | None],
    *,
    seconds: float,
    pause: float = 0.1,
    what: Callable[[], object] = lambda: "nothing",
) -> Found:
    """Look again and again until something is there: the deployed stack keeps its own time.

    ``seconds``: on an idle machine, at most.
    """
    deadline = time.monotonic() + seconds + BUSY_SECONDS
    while (found := look()) is None:
        assert time.monotonic() < deadline, f"after {seconds + BUSY_SECONDS} s: {what()}"
        time.sleep(pause)
    assert found is not False, "A look that finds nothing returns None."
    return found


def switch_schedule(stack: Stack, output: str, state: str) -> None:
    """Switch the schedule of a function's ticks ``ENABLED`` or ``DISABLED``, as an operator would.

    ``output``: the one that names the function.
    """
    scheduler = stack.aws("scheduler")
    kept = ("Name", "GroupName", "ScheduleExpression", "FlexibleTimeWindow", "Target")
    schedules = scheduler.list_schedules(NamePrefix=stack.outputs[output])["Schedules"]
    assert schedules
    for schedule in schedules:
        whole = scheduler.get_schedule(Name=schedule["Name"], GroupName=schedule["GroupName"])
        scheduler.update_schedule(**{key: whole[key] for key in kept}, State=state)


def switch_sources(stack: Stack, function: str, *, on: bool, source: str = "") -> None:
    """Switch the event sources of a function, or those whose ARN ends so, on or off."""
    functions = stack.aws("lambda")
    found = functions.list_event_source_mappings(FunctionName=function)["EventSourceMappings"]
    chosen = [each["UUID"] for each in found if each["EventSourceArn"].endswith(source)]
    assert chosen
    for mapping in chosen:
        functions.update_event_source_mapping(UUID=mapping, Enabled=on)


@contextmanager
def deployed(
    home: Path, *, auth: bool, settable: bool = False, authority: Path | None = None
) -> Iterator[Stack]:
    """Start a cloud, deploy, and stop it in the end; ``settable``: with a clock of its own.

    ``authority``: the file of the one that functions trust.
    """
    cloud = LocalCloud.start(
        home, auth=auth, settable=settable, authority=authority, minute_seconds=4
    )
    try:
        stack = Stack(cloud, deploy(cloud))
        with stack.clients:
            yield stack
    finally:
        cloud.stop()


def _runs(process: Path, function_name: str, port: int) -> bool:
    try:
        variables = _variables(process)
    except OSError:
        return False
    return {
        f"AWS_LAMBDA_FUNCTION_NAME={function_name}".encode(),
        f"AWS_ENDPOINT_URL=http://127.0.0.1:{port}".encode(),
    } <= set(variables)


def _variable(pid: int, wanted: bytes) -> str | None:
    with suppress(OSError):
        for variable in _variables(Path("/proc") / str(pid)):
            name, _, value = variable.partition(b"=")
            if name == wanted:
                return value.decode()
    return None


def _variables(process: Path) -> list[bytes]:
    return (process / "environ").read_bytes().split(b"\0")
