"""A job beside its function: what it is called, when it runs, and what it takes and returns."""

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property, update_wrapper
from typing import Any, Generic, TypeVar, Unpack, cast

from timegate.client import ClientError, TimegateClient
from timegate.client.calls.parts import MOST_TRIGGERS, joined, keyed_parts
from timegate.client.schemas import JobPatch, TriggeredMany, TriggerRequest
from timegate.worker.context import CURRENT, Context
from timegate.worker.declared.shapes import ShapeMismatch, as_json
from timegate.worker.declared.signatures import Signature
from timegate.worker.declared.triggered_run import (
    NotAllTriggered,
    TriggeredRun,
    default_client,
    job_called,
)
from timegate.worker.errors import PermanentError

Payload = TypeVar("Payload")
Result = TypeVar("Result")

#: The job's own payload is meant.
OWN: Any = object()


class DeclaredJob(Generic[Payload, Result]):
    """A handler, and the job that ``timegate deploy`` makes of it."""

    def __init__(self, name: str, function: Callable[..., Any], declared: JobPatch) -> None:
        self.name = name
        self.function = function
        self.declared = declared
        update_wrapper(self, function)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:  # noqa: ANN401 - the function's own
        """Call the function itself, as a test does."""
        return self.function(*args, **kwargs)

    def __reduce__(self) -> str:
        """Another process imports it by its name."""
        return self.function.__qualname__

    @cached_property
    def signature(self) -> Signature:
        """Parameters of the function; raises ``TypeError`` for those that no handler has."""
        return Signature.of(self.function)

    def work(self, context: Context) -> Any:  # noqa: ANN401 - a result, or what awaits it
        """Let the function do a run; raises ``PermanentError`` for a payload that it refuses."""
        try:
            arguments = self.signature.arguments(context)
        except ShapeMismatch as error:
            raise PermanentError(str(error), code="invalid_payload") from error
        return self.function(*arguments)

    def definition(self, pool: str) -> dict[str, Any]:
        """Return the job as the API takes it, without its name; raises ``ShapeMismatch``.

        Without a schedule it is ``manual``. Its payload has to fit if the schedule starts its runs.
        A schedule that is no object is the API's to refuse.
        """
        given: dict[str, Any] = {"schedule": {"kind": "manual"}, **self.declared}
        summary = (self.function.__doc__ or "").strip().partition("\n")[0]
        if summary:
            given.setdefault("description", summary)
        if "payload" in given:
            given["payload"] = as_json(given["payload"])
        schedule: object = given["schedule"]
        starts = isinstance(schedule, Mapping) and schedule.get("kind") != "manual"
        if self.signature.payload and ("payload" in given or starts):
            self._check(given.get("payload"))
        return given | {"action": {"type": "worker", "pool": pool, "handler": self.name}}

    def trigger(
        self,
        payload: Payload = OWN,
        /,
        *,
        client: TimegateClient | None = None,
        idempotency_key: str | None = None,
        **terms: Unpack[TriggerRequest],
    ) -> TriggeredRun[Result]:
        """Run the deployed job beside its schedule, with its own payload unless one is given.

        ``terms`` are those of ``trigger_job``: ``at``, ``delay_seconds``, ``priority``, ``tags``,
        ``expires_after_seconds``, ``collapse``, ``collapse_key``, ``concurrency_key`` and
        ``like_run_id``. A run that a handler triggers belongs to the trace of the handler's run.
        Raises ``ClientError``, and ``ShapeMismatch`` for a payload that the handler does not take.
        """
        client = client or default_client()
        request = self._request(payload, terms)
        reference = self._reference(client)
        run = client.trigger_job(
            reference, request, idempotency_key=idempotency_key, traceparent=_own_trace()
        )
        return self._triggered(run["run_id"], client)

    def trigger_many(
        self,
        payloads: Iterable[Payload],
        *,
        client: TimegateClient | None = None,
        idempotency_key: str | None = None,
        **terms: Unpack[TriggerRequest],
    ) -> list[TriggeredRun[Result]]:
        """Run the deployed job once for each payload, in their order; raises as ``trigger``.

        One request takes up to 1,000. With an idempotency key, the same call again is the same
        runs. Raises ``NotAllTriggered`` where some were refused, or a request behind the first one
        failed; it has the runs of the others.
        """
        client = client or default_client()
        requests = [self._request(each, terms) for each in payloads]
        reference = self._reference(client) if requests else ""
        answers: list[TriggeredMany] = []
        broke_off: ClientError | None = None
        try:
            for part, key in keyed_parts(requests, idempotency_key, most=MOST_TRIGGERS):
                terms_of_part = {"idempotency_key": key, "traceparent": _own_trace()}
                answers.append(client.trigger_many(reference, part, **terms_of_part))
        except ClientError as error:
            if not answers:
                raise
            broke_off = error
        items = joined(answers)["items"]
        runs = [self._triggered(run, client) if (run := each["run_id"]) else None for each in items]
        runs += [None] * (len(requests) - len(runs))
        triggered = [each for each in runs if each is not None]
        if len(triggered) < len(runs):
            problems = {each["index"]: each["error"] for each in items}
            raise NotAllTriggered(runs, problems, broke_off=broke_off) from broke_off
        return triggered

    def _reference(self, client: TimegateClient) -> str:
        """A declared key stands for the id; a name has to be looked up."""
        return self.declared.get("key") or job_called(client, self.name)

    def _request(self, payload: object, terms: Mapping[str, Any]) -> TriggerRequest:
        if payload is OWN:
            return cast("TriggerRequest", dict(terms))
        told = as_json(payload)
        if self.signature.payload:
            self._check(told)
        return cast("TriggerRequest", {**terms, "payload": told})

    def _check(self, payload: object) -> None:
        """Raise ``ShapeMismatch`` for a payload that the function does not take as it is sent."""
        if self.declared.get("payload_marks") is not None:
            # Imported here: few jobs have marks in their payloads.
            from timegate.worker.declared.marked import as_sent  # noqa: PLC0415

            payload = as_sent(payload, self.name)
        self.signature.takes.read(payload)

    def _triggered(self, run_id: str, client: TimegateClient) -> TriggeredRun[Result]:
        return TriggeredRun(run_id=run_id, client=client, returns=self.signature.returns)


def _own_trace() -> str | None:
    """Return the trace of the run at work here; ``None``: there is none."""
    context = CURRENT.get()
    return context.traceparent if context is not None else None
