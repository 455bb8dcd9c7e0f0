"""Claims of runs with large payloads and checkpoints: each answer is one that Lambda takes."""

import json

import pytest

from tests.support.api import Api
from tests.support.pools.worker_requests import offer, read, say

#: Lambda refuses an answer with more bytes:
#: https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html
MOST_BYTES = 6 * 1024 * 1024
#: JSON of almost 256 KB, two thirds of which are characters that JSON text in JSON escapes.
LARGE = [""] * 87_000
#: JSON of almost 256 KB, all of which are characters that are escaped once more.
ESCAPED = "\\" * 130_000


def claimed(api: Api, worker: str) -> tuple[list[dict[str, object]], int]:
    """Return claimed runs, and the bytes of Lambda's answer."""
    answer = api.send("POST", "/v1/pools/reports/claim", {"worker": worker, "max": 10})
    body = json.dumps(answer.body, ensure_ascii=False, separators=(",", ":"))
    return answer.body["runs"], len(json.dumps({"body": body}).encode())


def test_runs_that_are_too_large_together_go_to_several_claims(api: Api) -> None:
    """A worker that shut down left their checkpoints: none waits for the end of a lease."""
    for number in range(10):
        offer(api, name=f"load {number}", payload=LARGE)
    for run in claimed(api, "first")[0]:
        say(api, "heartbeat", run, checkpoint={"sequence": 1, "data": LARGE})
        say(api, "release", run)
    claims = [claimed(api, "second") for _ in range(3)]
    runs = [run for held, _ in claims for run in held]

    assert all(0 < size <= MOST_BYTES for _, size in claims[:2])
    assert len({str(run["run_id"]) for run in runs}) == len(runs) == 10
    assert {read(api, run)["state"] for run in runs} == {"running"}


def test_a_run_that_may_begin_once_waits_for_the_next_claim(api: Api) -> None:
    """It has not begun: no worker was told of it."""
    once = {"delivery": "at_most_once", "payload": ESCAPED}
    jobs = [offer(api, name=f"once {number}", **once) for number in range(10)]
    claims = [claimed(api, "first") for _ in range(2)]
    runs = [run for held, _ in claims for run in held]

    assert [len(held) for held, _ in claims] == [9, 1]
    assert {run["job_id"] for run in runs} == {*jobs}
    assert all(size <= MOST_BYTES for _, size in claims)


@pytest.mark.parametrize("delivery", ["at_least_once", "at_most_once"])
def test_a_claim_is_answered_in_time_while_payloads_are_read_slowly(
    api: Api, monkeypatch: pytest.MonkeyPatch, delivery: str
) -> None:
    """A throttled bucket takes seconds for each; API Gateway gives an answer up after 30 s."""
    for number in range(10):
        offer(api, name=f"slow {number}", payload=LARGE, delivery=delivery)
    read_at_once = api.world.blobs.get

    def read_slowly(path: str) -> str:
        api.world.clock.advance(3.5)
        return read_at_once(path)

    monkeypatch.setattr(api.world.blobs, "get", read_slowly)
    began_at = api.world.clock.now()
    first = claimed(api, "first")[0]
    took = (api.world.clock.now() - began_at).total_seconds()
    monkeypatch.setattr(api.world.blobs, "get", read_at_once)
    runs = [*first, *claimed(api, "second")[0]]

    assert took < 10
    assert len({str(run["run_id"]) for run in runs}) == len(runs) == 10
