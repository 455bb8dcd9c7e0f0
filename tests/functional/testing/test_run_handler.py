"""``run_handler``: lease, clock, checkpoint, and what a test asks to happen."""

import asyncio
import logging
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import entry_points

import pytest

from timegate.domain.jobs.retry import RetryPolicy
from timegate.domain.jobs.slices import MAX_DELAY_SECONDS
from timegate.domain.runs.run_result import MAX_CHARACTERS, MAX_RESULT_BYTES
from timegate.testing import Happened, Outcome, SteppedClock, run_handler
from timegate.testing.held_run import MAX_BODY_BYTES
from timegate.worker import Context, Continue
from timegate.worker.declared.capturing import CapturedStream
from timegate.worker.declared.coded_job import DeclaredJob


def seconds(happened: Happened, clock_start: SteppedClock) -> list[float]:
    """Heartbeats, in seconds from the start."""
    return [(at - clock_start.now).total_seconds() for at in happened.heartbeats]


def test_an_async_test_may_call_it() -> None:
    """Its loop runs meanwhile, and the handler has one of its own, as in a worker."""

    async def double(context: Context) -> int:
        await asyncio.sleep(0)
        return 2 * int(context.payload)

    async def test() -> tuple[Happened, Happened]:
        return run_handler(double, payload=21), run_handler(lambda context: context.payload)

    happened, plain = asyncio.run(test())

    assert (happened.outcome, happened.result, happened.error) == (Outcome.SUCCEEDED, 42, None)
    assert plain.outcome == Outcome.SUCCEEDED


@pytest.mark.parametrize("value", [0, "", [], {}, False])
def test_a_checkpoint_may_be_empty_and_not_none(value: object) -> None:
    """The API would keep the one before: the next worker would not begin where it was told to."""

    def work(context: Context) -> None:
        context.checkpoint({"rows": 500})
        context.checkpoint(value)
        context.checkpoint(None)

    happened = run_handler(work)

    assert (happened.checkpoints, happened.last_checkpoint) == ([{"rows": 500}, value], value)
    assert happened.error is not None
    assert happened.error["message"].startswith("None is no checkpoint")


@pytest.fixture
def clock() -> SteppedClock:
    return SteppedClock()


def working(clock: SteppedClock, *, silently: bool = False) -> Callable[[Context], str]:
    """A handler of a hundred seconds, in four checkpoints."""

    def work(context: Context) -> str:
        for number in range(1, 5):
            context.log(f"step {number}")
            context.progress(number * 25)
            clock.step(25, silently=silently)
            context.checkpoint(number)
        return "done"

    return work


def test_a_step_sends_the_heartbeats_that_are_due(clock: SteppedClock) -> None:
    """Three a lease; progress comes with the next one, and a checkpoint at once."""

    def work(context: Context) -> None:
        context.progress(10, "begun")
        clock.step(61)

    happened = run_handler(work, clock=clock)

    assert seconds(happened, SteppedClock()) == [20, 40, 60]
    assert happened.progress == [{"percent": 10, "message": "begun"}]
    assert seconds(run_handler(lambda _: clock.step(61), lease_seconds=30), SteppedClock()) == []


def test_a_heartbeat_extends_the_lease(clock: SteppedClock) -> None:
    """A worker that speaks keeps its run; a silent one has lost it when its lease expires."""
    kept = run_handler(working(clock), clock=clock)
    early = run_handler(lambda _: clock.step(59.9, silently=True), clock=clock)
    late = run_handler(lambda _: clock.step(60, silently=True), clock=clock)

    assert (kept.outcome, kept.checkpoints) == (Outcome.SUCCEEDED, [1, 2, 3, 4])
    assert kept.logs == [("info", f"step {number}") for number in range(1, 5)]
    assert (early.outcome, early.refusals) == (Outcome.SUCCEEDED, [])
    assert (late.outcome, late.refusals) == (Outcome.LOST, ["lease_lost"])


@pytest.mark.parametrize(
    ("asked", "outcome", "checkpoints"),
    [
        ({"cancel_after": 30}, Outcome.CANCELLED, [1, 2]),
        ({"stop_after": 30}, Outcome.RELEASED, [1, 2]),
        ({"lose_lease_after": 30}, Outcome.LOST, [1]),
        ({"timeout_seconds": 30}, Outcome.RETRY, [1]),
    ],
)
def test_an_interruption_comes_at_its_moment(
    clock: SteppedClock, asked: dict[str, float], outcome: Outcome, checkpoints: list[int]
) -> None:
    """A handler that is cancelled or stopped stores a checkpoint all the same."""
    happened = run_handler(working(clock), clock=clock, **asked)  # type: ignore[arg-type]

    assert (happened.outcome, happened.checkpoints) == (outcome, checkpoints)
    assert happened.logs[0] == ("info", "step 1")


def test_an_async_handler_hears_of_it_where_it_waits(clock: SteppedClock) -> None:
    """A worker's handler hears alike."""

    async def work(_: Context) -> None:
        clock.step(40)
        await asyncio.sleep(3600)

    assert run_handler(work, clock=clock, cancel_after=30).outcome is Outcome.CANCELLED


def test_the_policy_decides_about_the_last_attempt() -> None:
    """The attempt's number is the caller's."""

    def work(context: Context) -> None:
        raise LookupError(f"{context.attempt}")

    first, last = (run_handler(work, attempt=n, retry=RetryPolicy(max_attempts=2)) for n in (1, 2))

    assert (first.outcome, last.outcome) == (Outcome.RETRY, Outcome.FAILED)
    assert first.retry_at is not None
    assert last.retry_at is None
    assert last.explanation == "attempt 2 of 2, none left"


def test_a_run_goes_on_in_another_slice() -> None:
    """Its job allows slices."""
    more = run_handler(lambda _: Continue(checkpoint=7, delay_seconds=60), may_continue=True)

    assert (more.outcome, more.last_checkpoint, more.delay_seconds) == ("continued", 7, 60)


def test_a_slice_that_is_refused_is_none(clock: SteppedClock) -> None:
    """A delay has a limit, and a cancelled run has no other slice."""

    def work(_: Context) -> Continue:
        clock.step(5)
        return Continue(checkpoint=7)

    far = Continue(delay_seconds=MAX_DELAY_SECONDS + 1)
    refused = run_handler(lambda _: far, may_continue=True)
    cancelled = run_handler(work, clock=clock, may_continue=True, cancel_after=5)

    assert (refused.outcome, refused.refusals) == (Outcome.FAILED, ["invalid_request"])
    assert (cancelled.outcome, cancelled.checkpoints) == (Outcome.CANCELLED, [])


def test_a_large_result_is_cut() -> None:
    """One beyond the size of a request is refused, and its beginning is sent."""
    whole, cut, beyond = (
        run_handler(lambda _, size=size: "x" * size)
        for size in (MAX_RESULT_BYTES, MAX_RESULT_BYTES + 1, MAX_BODY_BYTES)
    )

    assert (len(whole.result), whole.result_is_cut) == (MAX_RESULT_BYTES, False)
    assert (len(cut.result), cut.result_is_cut, cut.refusals) == (MAX_CHARACTERS, True, [])
    assert (len(beyond.result), beyond.refusals) == (MAX_CHARACTERS, ["body_too_large"])
    assert beyond.result_is_cut


def test_what_has_ended_stays_so(clock: SteppedClock) -> None:
    """A handler that pays no heed changes nothing, and neither does the clock."""
    late = run_handler(lambda _: clock.step(40), clock=clock, timeout_seconds=30)
    sent = len(run_handler(lambda _: clock.step(40), clock=clock).heartbeats)
    after = run_handler(lambda _: clock.step(40), clock=clock)
    clock.step(40)

    assert late.outcome is Outcome.RETRY
    assert len(after.heartbeats) == sent == 2
    assert after.refusals == []


def test_the_claim_is_as_the_test_says() -> None:
    """Attempt, fence and the end of the run before."""
    seen: list[Context] = []
    run_handler(seen.append, attempt=3, parent={"state": "failed"})

    assert [(each.attempt, each.fence, each.parent) for each in seen] == [
        (3, 3, {"state": "failed"})
    ]


def test_input_is_json() -> None:
    """A tuple comes as a list, and an object of Python is refused."""
    assert run_handler(lambda context: context.payload, payload=(1, 2)).result == [1, 2]
    with pytest.raises(TypeError):
        run_handler(lambda _: None, payload=object())


@dataclass
class Sales:
    """Sales of a region."""

    region: str
    shops: int = 1


def test_a_payload_is_written_out_as_a_trigger_writes_it() -> None:
    """A typed handler is given what the caller of ``trigger`` said."""

    def report(sales: Sales) -> dict[str, int]:
        return {sales.region: sales.shops}

    # The decorator makes the same, but with an entry among the handlers of this process.
    declared: DeclaredJob[Sales, dict[str, int]] = DeclaredJob("sales", report, {})
    happened = run_handler(declared, payload=Sales("us", shops=4))

    assert (happened.outcome, happened.result) == ("succeeded", {"us": 4})


def test_prints_logs_and_traces_are_lines_of_the_log(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """A run's lines are the same; printed text is still printed."""

    async def breaks(context: Context) -> None:
        print("region eu")  # noqa: T201 - handlers print
        logging.getLogger("shop").warning("closed")
        context.log("half", "info")
        raise KeyError("rows")

    happened = run_handler(breaks)
    levels, texts = zip(*happened.logs, strict=True)

    assert happened.logs[:3] == [("info", "region eu"), ("warning", "closed"), ("info", "half")]
    assert set(levels[3:]) == {"error"}
    assert (texts[3], texts[-1]) == ("Traceback (most recent call last):", "KeyError: 'rows'")
    assert any("in breaks" in text for text in texts)
    assert "region eu" in capsys.readouterr().out
    # Nothing is captured after it.
    assert not isinstance(sys.stdout, CapturedStream)


def test_a_clock_never_steps_back(clock: SteppedClock) -> None:
    """It says so."""
    with pytest.raises(ValueError, match="forward"):
        clock.step(-1)


def test_the_plug_in_gives_the_fixture(pytestconfig: pytest.Config) -> None:
    """By the package's entry point; pytest starts without the modules of the package."""
    (found,) = [each for each in entry_points(group="pytest11") if each.name == "timegate"]
    code = "import sys, timegate.pytest_plugin;"
    code += "print(sorted(n for n in sys.modules if n.split('.')[0] in ('timegate', 'httpx')))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert found.value == "timegate.pytest_plugin"
    assert pytestconfig.pluginmanager.has_plugin("timegate")
    assert done.stdout == "['timegate', 'timegate.pytest_plugin']\n"


def test_the_fixture_is_run_handler(timegate_run: Callable[..., Happened]) -> None:
    """A test asks for it by name."""
    assert timegate_run is run_handler
