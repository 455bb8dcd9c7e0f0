"""A worker of a pool that asks both regions for runs, all the time."""

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http import HTTPStatus

import httpx

_PAUSE_SECONDS = 1.0


@dataclass(frozen=True, kw_only=True)
class PoolClaim:
    """A run that a region handed out."""

    run_id: str
    region: str


@dataclass
class PoolWorker:
    """Claims runs and completes them at once; refusals are counted by region and code."""

    pool: str
    apis: Mapping[str, httpx.Client]
    claims: list[PoolClaim] = field(default_factory=list)
    refused: set[tuple[str, str]] = field(default_factory=set)
    _over: threading.Event = field(default_factory=threading.Event)

    def work(self) -> None:
        """Ask each region in turn until it is stopped."""
        while not self._over.wait(_PAUSE_SECONDS):
            for region, api in self.apis.items():
                # A region on a busy machine may answer late, and lets the lease lapse.
                with suppress(httpx.HTTPError):
                    self._ask(region, api)

    def stop(self) -> None:
        """Ask no more."""
        self._over.set()

    def regions_of(self, run_id: str) -> set[str]:
        """Return the regions that handed a run out."""
        return {each.region for each in self.claims if each.run_id == run_id}

    def _ask(self, region: str, api: httpx.Client) -> None:
        path = f"/v1/pools/{self.pool}/claim"
        answer = api.post(path, json={"worker": f"worker-{region}", "max": 5})
        if answer.status_code != HTTPStatus.OK:
            self.refused.add((region, str(answer.json().get("code"))))
            return
        for run in answer.json()["runs"]:
            self.claims.append(PoolClaim(run_id=run["run_id"], region=region))
            api.post(f"/v1/runs/{run['run_id']}/complete", json={"lease_token": run["lease_token"]})


@contextmanager
def serving_pool(pool: str, apis: Mapping[str, httpx.Client]) -> Iterator[PoolWorker]:
    """Let a worker serve a pool in both regions."""
    worker = PoolWorker(pool, apis)
    thread = threading.Thread(target=worker.work, daemon=True)
    thread.start()
    try:
        yield worker
    finally:
        worker.stop()
        thread.join()
