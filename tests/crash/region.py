"""Functions use a region: clock, tables, queues, targets, and the clients that reach them."""

import importlib
import pkgutil
from collections import defaultdict
from collections.abc import Callable, Collection
from datetime import datetime, timedelta
from functools import partial
from types import ModuleType
from typing import Any

import pytest
from botocore.awsrequest import AWSPreparedRequest, AWSResponse
from botocore.exceptions import EndpointConnectionError
from ministack.services import dynamodb  # type: ignore[import-untyped]

from infra.local.emulator import show_statements_in_streams
from tests.crash.faults import Call, Died, Fault, Injector, Process
from tests.crash.judges.entry_rule import EntryRule
from tests.crash.services.addresses import RecordingAddresses
from tests.crash.services.bucket import MemoryBucket
from tests.crash.services.executions import StateMachine
from tests.crash.services.functions import (
    TIMEOUT_SECONDS,
    Clients,
    Telemetry,
    load,
    own_variables,
    replace_everywhere,
    silent_endpoint,
    variables,
)
from tests.crash.services.queueing.queues import Queues
from tests.crash.services.streams import JOBS, RUNS
from tests.crash.services.tables import Tables
from tests.crash.services.targets import Bus, RecordingFunction, VirtualCallRunner
from tests.crash.services.tenant_rights import ActingSession, Parameters, Sts
from tests.crash.ticking.seal_key import SealKey
from tests.support.factories import NOW
from tests.support.pools.inline_pool import InlinePool
from tests.support.stores.dynamodb_inside import region_of, serve
from timegate.adapters.memory.clock import MemoryClock
from timegate.runtime.wiring.parts import targets as target_wiring

#: Most stand still as long as Lambda lets them. Executors of long runs: longer than their leases,
#: and than they hide a message, so that they come back while their successors are at work.
STALL_SECONDS = {"executor long": 100}


class Region:
    """Built once, used by one story after the other."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self._patch = patch
        self.clock = MemoryClock(NOW)
        self.tables = Tables()
        self.queues = Queues(self.clock)
        self.function = RecordingFunction(self.clock)
        self.bucket = MemoryBucket()
        self.bus = Bus()
        #: The stage tells of transitions.
        self.tells = False
        self.machine = StateMachine()
        self.sts = Sts(self.clock)
        self.seal_key = SealKey()
        #: Regions whose tables are out of reach.
        self.unreached: set[str] = set()
        #: Lets all other actors go on until an instant.
        self.live: Callable[[datetime], None] = lambda _: None
        #: Told of each call that is about to write to a table.
        self.witness: Callable[[Call], object] = lambda _: None
        self.injector = Injector(self._stall, self.queues.lose)
        self.entries = EntryRule()
        self.function.process = lambda: self.injector.current.number
        self.function.kill = self._kill
        #: Why invocations failed, in the order in which they did.
        self.failures: list[tuple[Process, BaseException | None]] = []
        self.machine.failed_with = lambda: self.failures[-1][1]
        self._idle: dict[str, list[ModuleType]] = defaultdict(list)
        self._wire()

    def begin(self, faults: Collection[Fault], *, tells: bool = False) -> None:
        """A new story: every container is cold, and nothing was called."""
        self.tells = tells
        self.bus.clear()
        Telemetry.unqueued.clear()
        self.cool()
        self.failures.clear()
        self.function.effects.clear()
        self.machine.clear()
        self.injector.begin(faults)
        self.entries.begin([*self.tables.items(JOBS), *self.tables.items(RUNS)])

    def container(self, function: str) -> ModuleType:
        """A warm container, or a new one when all are at work or dead."""
        if self._idle[function]:
            return self._idle[function].pop()
        with pytest.MonkeyPatch.context() as patch:
            for name, text in own_variables(function, self.queues, tells=self.tells).items():
                patch.setenv(name, text)
            return load(function)

    def keep(self, function: str, container: ModuleType) -> None:
        """It answered, and may serve the next invocation."""
        self._idle[function].append(container)

    def cool(self) -> None:
        """Every container is cold again."""
        self._idle.clear()

    def note(self, process: Process, error: BaseException | None) -> None:
        """An invocation failed."""
        self.failures.append((process, error))

    def _wire(self) -> None:
        self._show_statements()
        for name, text in variables(self.queues).items():
            self._patch.setenv(name, text)
        self._patch.delenv("_X_AMZN_TRACE_ID", raising=False)
        for package in ("timegate.adapters", "timegate.usecases", "timegate.runtime"):
            for found in pkgutil.walk_packages(
                importlib.import_module(package).__path__, f"{package}."
            ):
                importlib.import_module(found.name)
        replace_everywhere(
            self._patch,
            {
                "SystemClock": lambda: self.clock,
                "LambdaTelemetry": Telemetry,
                "ThreadPoolExecutor": InlinePool,
                "KeptThreadPool": InlinePool,
                "ThreadedCallRunner": lambda target, clock: VirtualCallRunner(
                    target, clock, self._work
                ),
            },
        )
        self._patch.setattr("timegate.runtime.telemetry.LambdaTelemetry", Telemetry)
        self._patch.setattr("timegate.runtime.termination.Termination.install", lambda _: None)
        hooks: dict[str, Callable[..., object]] = {
            "before-call": self.injector.before_call,
            "before-send": self._send,
            "after-call": self.injector.after_call,
        }
        own = Clients(hooks)
        self._patch.setattr("timegate.runtime.clients._own", lambda: own)
        # It would send invocations over a session of its own, past the hooks.
        self._patch.setattr("timegate.runtime.long_calls.keep_alive", lambda *_, **__: None)
        acting = partial(ActingSession, own)
        self._patch.setattr(target_wiring, "tenant_session", acting)
        addresses = RecordingAddresses(self.injector, self.clock, self.function.effects)
        self._patch.setattr(
            "timegate.adapters.targets.kinds.webhook.HttpClient", lambda _: addresses
        )
        silent_endpoint(self._patch)

    def _show_statements(self) -> None:
        """Show in streams what statements change, as AWS does; in the end it is as before."""
        for name in ("_partiql_update", "_partiql_insert"):
            self._patch.setattr(dynamodb, name, getattr(dynamodb, name))
        show_statements_in_streams()

    def _send(self, request: AWSPreparedRequest, event_name: str, **_: object) -> AWSResponse:
        service = event_name.split(".")[1]
        answers: dict[str, Any] = {
            "dynamodb": self._store,
            "sqs": self.queues.send,
            "lambda": self.function.send,
            "s3": self.bucket.send,
            "eventbridge": self.bus.send,
            "sfn": self.machine.send,
            "sts": self.sts.send,
            "ssm": Parameters().send,
            "kms": self.seal_key.send,
        }
        return self.injector.send(request, answers[service])

    def _store(self, request: AWSPreparedRequest) -> AWSResponse:
        if region_of(request) in self.unreached:
            raise EndpointConnectionError(endpoint_url=request.url)
        call, began_at = self.injector.current.call, self.injector.current.began_at
        writes = call is not None and not call.is_read
        if call is not None and writes:
            self.witness(call)
        response = serve(request)
        if call is not None and writes and began_at is not None:
            stored = [*self.tables.items(JOBS), *self.tables.items(RUNS)]
            self.entries.look(stored, str(call), began_at=began_at)
        return response

    def _work(self, until: datetime) -> None:
        """Wait for a target."""
        process = self.injector.current
        process.working = True
        self.live(until)
        process.working = False

    def _stall(self, process: Process) -> None:
        seconds = STALL_SECONDS.get(process.function, TIMEOUT_SECONDS[process.function] - 1)
        self.live(self.clock.now() + timedelta(seconds=seconds))

    def _kill(self) -> None:
        process = self.injector.current
        process.dead = True
        raise Died
