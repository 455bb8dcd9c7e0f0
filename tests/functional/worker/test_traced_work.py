"""The trace of a run that a worker has: given to its handler, and sent with each call about it."""

import asyncio
from collections.abc import Iterator
from threading import Thread
from typing import Any, cast

import httpx
import pytest

from tests.functional.worker import declared_jobs
from tests.functional.worker.client import FakeClient, run_of, task_of
from timegate.client import AsyncTimegateClient, FixedToken, Profile, TimegateClient
from timegate.worker import Context, DeclaredJob, Worker
from timegate.worker import worker as worker_module
from timegate.worker.declared import triggered_run
from timegate.worker.declared.triggered_run import default_client, triggering_as
from timegate.worker.holding import Hold
from timegate.worker.outcomes import Done, Outcome
from timegate.worker.report_outcome import say
from timegate.worker.runners import ProcessRunner, ThreadRunner
from timegate.worker.task import ClaimedRun

TRACEPARENT = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
OTHER = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b8-00"
PROFILE = Profile(api_url="https://api.example.com", credentials=FixedToken(token="t"))


def told(context: Context) -> str | None:
    """A handler that returns what it was given."""
    return context.traceparent


@pytest.fixture
def sent() -> list[httpx.Request]:
    """Requests that left the client."""
    return []


@pytest.fixture
def client(sent: list[httpx.Request]) -> Iterator[TimegateClient]:
    """Its API answers all with a run."""

    def answer(request: httpx.Request) -> httpx.Response:
        sent.append(request)
        if request.url.path.endswith("/batch"):
            item = {"index": 0, "run_id": "job.run", "error": None}
            many = {"items": [item], "triggered": 1, "replayed": 0, "failed": 0}
            return httpx.Response(200, json=many)
        return httpx.Response(200, json={"run_id": "job.run", "cancel_requested": False})

    with TimegateClient(PROFILE, transport=httpx.MockTransport(answer)) as made:
        yield made


@pytest.mark.parametrize("runner", [ThreadRunner, ProcessRunner])
def test_a_handler_is_given_the_trace_of_its_run(runner: type[Any]) -> None:
    """In a thread and in a process; an older API says nothing of it."""
    works = runner()
    outcomes = [
        works.work(told, Hold(FakeClient(), task_of(**fields)))  # type: ignore[arg-type]
        for fields in ({"traceparent": TRACEPARENT}, {})
    ]
    works.clear()

    assert outcomes == [Done(result=TRACEPARENT), Done(result=None)]


def test_each_call_about_a_run_belongs_to_its_trace(
    client: TimegateClient, sent: list[httpx.Request]
) -> None:
    """A heartbeat, a line of the log and the end; claims belong to none."""
    task = task_of(lease_seconds=60, traceparent=TRACEPARENT)
    hold = Hold(client, task)
    hold.is_ours()
    hold.log("a line", "info")
    say(client, task, Done(result=1), hold=hold)
    hold.end()
    with pytest.raises(KeyError):
        client.claim_runs("p", worker="w")["runs"]

    said = {each.url.path.rpartition("/")[2]: each.headers.get("traceparent") for each in sent}
    assert said == {
        "heartbeat": TRACEPARENT,
        "logs": TRACEPARENT,
        "complete": TRACEPARENT,
        "claim": None,
    }


def test_a_call_that_names_its_own_trace_keeps_it(
    client: TimegateClient, sent: list[httpx.Request]
) -> None:
    """Methods of resources belong to the client's trace as well, and the first client to none."""
    traced = client.traced(TRACEPARENT)
    traced.trigger_job("job", traceparent=OTHER)
    traced.jobs.trigger("job")
    client.trigger_job("job")

    assert [each.headers.get("traceparent") for each in sent] == [OTHER, TRACEPARENT, None]


def test_a_client_that_awaits_is_traced_alike() -> None:
    """On the same connections."""
    seen: list[str | None] = []

    def answer(request: httpx.Request) -> httpx.Response:
        seen.append(request.headers.get("traceparent"))
        return httpx.Response(200, json={"run_id": "job.run"})

    async def ask() -> None:
        async with AsyncTimegateClient(PROFILE, transport=httpx.MockTransport(answer)) as client:
            await client.traced(TRACEPARENT).get_run("job.run")
            await client.get_run("job.run")

    asyncio.run(ask())

    assert seen == [TRACEPARENT, None]


def test_a_job_that_a_handler_triggers_belongs_to_its_trace(
    client: TimegateClient, sent: list[httpx.Request]
) -> None:
    """Outside of a handler it begins a trace of its own."""

    def nothing() -> None:
        """The next step."""

    following: DeclaredJob[Any, Any] = DeclaredJob("following", nothing, {"key": "following"})

    def handler(context: Context) -> None:
        following.trigger(client=client)
        following.trigger_many([None], client=client)

    hold = Hold(client, task_of(traceparent=TRACEPARENT))
    outcome = ThreadRunner().work(handler, hold)
    following.trigger(client=client)

    assert outcome == Done(result=None)
    assert [each.headers.get("traceparent") for each in sent] == [TRACEPARENT, TRACEPARENT, None]


@pytest.fixture
def environment(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The address of the environment's stage, whose client no other test is given."""
    address = "https://environment.example.com"
    monkeypatch.setenv("TIMEGATE_API_URL", address)
    monkeypatch.setenv("TIMEGATE_TOKEN", "t")
    triggered_run._client_of.cache_clear()
    yield address
    triggered_run._client_of.cache_clear()


def of_worker(kind: type[ThreadRunner | ProcessRunner], profile: Profile | None) -> Outcome:
    """Let a handler say of which stages it triggers jobs, as its worker's runner works."""
    runner = kind()
    runner.profile = profile
    try:
        return runner.work(
            declared_jobs.stage, Hold(cast("TimegateClient", FakeClient()), task_of())
        )
    finally:
        runner.clear()


def test_a_handler_triggers_jobs_of_the_stage_that_its_run_is_of(environment: str) -> None:
    """A worker of another profile than the environment's triggered jobs of that one's tenant."""
    theirs, ours = environment, PROFILE.api_url

    assert of_worker(ThreadRunner, None) == Done(result=[theirs, theirs])
    assert of_worker(ProcessRunner, None) == Done(result=[theirs, theirs])
    assert of_worker(ProcessRunner, PROFILE) == Done(result=[ours, ours])
    # A program that has a worker among other things has the environment's in its own threads.
    assert of_worker(ThreadRunner, PROFILE) == Done(result=[ours, theirs])
    with triggering_as(PROFILE):
        assert of_worker(ThreadRunner, PROFILE) == Done(result=[ours, ours])
    assert default_client().sender.api_url == theirs


def test_a_worker_gives_its_handlers_its_own_profile(
    environment: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A worker without one has the environment's, as its handlers have."""
    for profile, url in ((PROFILE, PROFILE.api_url), (None, environment)):
        fake = FakeClient(runs=[run_of("stage")])
        monkeypatch.setattr(worker_module, "TimegateClient", lambda _, fake=fake: fake)
        worker = Worker(pool="p", handlers={"stage": declared_jobs.stage}, profile=profile)
        beside = Thread(target=worker.run)
        beside.start()
        ((_, _, stages),) = fake.wait_for(1)
        worker.stop()
        beside.join(30)

        assert stages == [url, environment]


def test_a_claimed_run_is_read_with_its_trace() -> None:
    """The API writes the same form."""
    read = ClaimedRun.of(run_of("x") | {"traceparent": TRACEPARENT}, lease_seconds=60)

    assert read.traceparent == TRACEPARENT
