"""The shop of ``examples/shop`` on a stack: declared, and with a past."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from infra.local.deployment import ROOT
from infra.local.webhook_target import Recorder
from tests.support.command_line import CommandLine
from tests.support.deployed.stack import Stack, wait_until
from timegate.domain.values.instants import rfc3339

FILES = ROOT / "examples" / "shop"
#: The host of the shop's own services in the files.
HOST = "https://shop.example.com"

#: Answers to the calls of some jobs, in the order in which they come; all others are 200.
_ANSWERS = {
    "invoices": [200] * 12 + [503, 503] + [200] * 9 + [500],
    "settlements": [200] * 60 + [404] + [200] * 150 + [503] + [200] * 90 + [404, 404],
    "dunning": [500] * 3,
}
#: How far back each job is made up for.
_PAST = {
    "nightly-invoices": timedelta(days=45),
    "card-settlements": timedelta(days=4),
    "dunning-letters": timedelta(days=2),
    "stock-sync": timedelta(minutes=40),
}
_SECONDS = 180


@dataclass(frozen=True, kw_only=True)
class Shop:
    """Ids of a shop at work, for the addresses of its pages."""

    #: Those of its jobs, by their names; of the run that was ``retried`` most often, and of a
    #: ``month`` whose comparison failed, so that accounting was told.
    ids: dict[str, str]


def opened(stack: Stack, recorder: Recorder, timegate: CommandLine, folder: Path) -> Shop:
    """Declare the shop with its services on this machine, and let it work."""
    for path, statuses in _ANSWERS.items():
        recorder.answer(path, *statuses)
    for file in FILES.glob("*.yaml"):
        text = file.read_text().replace(HOST, recorder.url("").rstrip("/"))
        (folder / file.name).write_text(text)
    timegate("apply", "-f", str(folder), "--yes")
    jobs = {each["name"]: each["job_id"] for each in timegate.json("jobs", "list")["items"]}
    for name, past in _PAST.items():
        _make_up(stack, timegate, name, past)
    for _ in range(3):
        timegate("jobs", "trigger", "product-images")
    timegate("jobs", "pause", "newsletter", "--reason", "until the new template is there")
    timegate(
        "freezes",
        "create",
        "--tag",
        "team=marketing",
        "--reason",
        "inventory",
        "--for",
        "8h",
        "--yes",
    )
    recorder.answer("books/compare", 500, 500)
    month = _begun(stack)
    _until(stack, f"/v1/dag-runs/{month}", "status", {"succeeded"})
    retried = _retried(stack, jobs["nightly-invoices"])
    return Shop(ids={**jobs, "retried": retried, "month": month})


def _make_up(stack: Stack, timegate: CommandLine, name: str, past: timedelta) -> None:
    now = datetime.now(UTC)
    span = ("--from", rfc3339(now - past), "--to", rfc3339(now))
    begun = timegate.json("jobs", "backfill", name, *span, "--yes")
    _until(stack, f"/v1/operations/{begun['operation_id']}", "status", {"succeeded", "failed"})


def _until(stack: Stack, path: str, field: str, values: set[str]) -> None:
    """Wait until a field of a representation has one of these values."""

    def reached() -> dict[str, Any] | None:
        found: dict[str, Any] = stack.api.get(path).raise_for_status().json()
        return found if found[field] in values else None

    wait_until(reached, seconds=_SECONDS, what=lambda: stack.api.get(path).json())


def _begun(stack: Stack) -> str:
    (dag,) = stack.api.get("/v1/dags").json()["items"]
    begun = stack.api.post(f"/v1/dags/{dag['dag_id']}/runs", json={}).raise_for_status()
    return str(begun.json()["dag_run_id"])


def _retried(stack: Stack, job_id: str) -> str:
    runs = stack.api.get(f"/v1/jobs/{job_id}/runs", params={"limit": "100"}).json()["items"]
    return str(max(runs, key=lambda run: int(run["attempt"]))["run_id"])
