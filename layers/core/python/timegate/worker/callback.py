"""A run that a target has accepted: held, worked on and ended as a worker would."""

import json
import logging
from collections.abc import Mapping
from datetime import datetime
from typing import Any, Self

import httpx

from timegate.client import CallbackClient
from timegate.value_classes import dataclass
from timegate.worker.handlers import Handler
from timegate.worker.holding import Hold
from timegate.worker.outcomes import Outcome
from timegate.worker.report_outcome import say
from timegate.worker.runners import ThreadRunner
from timegate.worker.task import ClaimedRun

logger = logging.getLogger("timegate.worker")

_PREFIX = "timegate-"


@dataclass(frozen=True, kw_only=True, slots=True)
class Callback:
    """A target's run, and the address for its reports."""

    task: ClaimedRun
    url: str

    @classmethod
    def of_event(cls, event: Mapping[str, Any]) -> Self:
        """Read a Lambda function's event.

        Raises ``KeyError`` where that is none of a job with ``"invocation": "callback"``, and
        ``httpx.HTTPError`` when a large checkpoint cannot be fetched.
        """
        told = event["timegate"]
        callback = told["callback"]
        link = told.get("checkpoint_link")
        return cls(
            task=_task(
                told,
                payload=event["payload"],
                checkpoint=told.get("checkpoint") if link is None else _fetched(link),
                token=callback["token"],
                seconds=callback["heartbeat_seconds"],
                deadline_at=callback["deadline_at"],
            ),
            url=callback["url"],
        )

    @classmethod
    def of_request(cls, headers: Mapping[str, str], body: str | bytes) -> Self:
        """Read a web hook's request; raises as ``of_event``."""
        named = {name.lower(): text for name, text in headers.items()}
        # A job's own headers may have the names of ours without the prefix.
        ours = [name for name in named if name.startswith(_PREFIX)]
        sent = {name.removeprefix(_PREFIX): named[name] for name in ours}
        link, checkpoint = sent.get("checkpoint-link"), sent.get("checkpoint", "null")
        run = {
            "run_id": sent["run-id"],
            "idempotency_key": sent["idempotency-key"],
            "fence": int(sent["fence"]),
            "attempt": int(sent["attempt"]),
            "scheduled_at": sent["scheduled-at"],
            "traceparent": named.get("traceparent"),
        }
        return cls(
            task=_task(
                run,
                payload=json.loads(body),
                checkpoint=json.loads(checkpoint) if link is None else _fetched(link),
                token=sent["callback-token"],
                seconds=int(sent["heartbeat-seconds"]),
                deadline_at=sent["deadline-at"],
            ),
            url=sent["callback-url"],
        )

    def run(self, handler: Handler, *, transport: httpx.BaseTransport | None = None) -> None:
        """Let the handler work, with heartbeats beside it, and say how it ended.

        Nothing is begun where the run is not the target's any more. Raises ``ClientError`` when the
        end could not be put on record: then the run begins anew once its lease is over.
        """
        with CallbackClient(self.url, transport=transport) as client:
            hold = Hold(client, self.task)
            if not hold.is_ours():
                return
            hold.start()
            outcome: Outcome | None = None
            try:
                outcome = ThreadRunner().work(handler, hold)
                say(client, self.task, outcome, hold=hold)
            finally:
                hold.end()
                fields = {"run_id": self.task.run_id, "outcome": type(outcome).__name__}
                logger.info("run_ended", extra={"fields": fields})


def _task(
    run: Mapping[str, Any],
    *,
    payload: object,
    checkpoint: object,
    token: str,
    seconds: int,
    deadline_at: str,
) -> ClaimedRun:
    scheduled_at = datetime.fromisoformat(run["scheduled_at"])
    job_id = str(run["run_id"]).partition(".")[0]
    return ClaimedRun(
        run_id=run["run_id"],
        job_id=job_id,
        # A target is told of its run, and not of how people call the job.
        job_name=job_id,
        handler="",
        payload=payload,
        last_checkpoint=checkpoint,
        attempt=run["attempt"],
        idempotency_key=run["idempotency_key"],
        fence=run["fence"],
        scheduled_at=scheduled_at,
        due_at=scheduled_at,
        deadline_at=datetime.fromisoformat(deadline_at),
        lease_token=token,
        lease_seconds=float(seconds),
        traceparent=run.get("traceparent"),
        parent=run.get("parent"),
    )


def _fetched(link: str) -> object:
    """A checkpoint that is too large to be told."""
    return httpx.get(link, timeout=30.0).raise_for_status().json()
