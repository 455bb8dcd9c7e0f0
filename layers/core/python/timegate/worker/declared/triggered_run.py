"""Runs that a program triggered, and what came of them."""

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import field, replace
from functools import cache
from typing import Any, Generic, TypeVar, cast

from timegate.client import ClientError, Profile, TimegateClient, load_profile
from timegate.client.calling import link
from timegate.client.schemas import Run, TriggerProblem
from timegate.client.waiting import RunNotSucceeded
from timegate.domain.runs.run_result import was_cut
from timegate.value_classes import dataclass
from timegate.worker.context import CURRENT
from timegate.worker.declared.shapes import Shape, ShapeMismatch

Result = TypeVar("Result")

#: Profiles of the worker that this process is, the last one in force; empty: it is none.
_SERVED: list[Profile] = []


class NotDeployed(ClientError):
    """The tenant has no job, or several, of a declared name."""


class ResultCut(ClientError):
    """The result is too large to be kept whole."""


class NotAllTriggered(ClientError):
    """Some of many triggers have no run; the runs of the others are there.

    The API refused those of ``refused``. A request that failed ended the rest: ``__cause__`` says
    why. The same call with the same idempotency key goes on, also behind an answer that was lost.
    """

    def __init__(
        self,
        runs: "Sequence[TriggeredRun[Any] | None]",
        problems: Mapping[int, TriggerProblem | None],
        *,
        broke_off: ClientError | None = None,
    ) -> None:
        #: In the order of the payloads; ``None``: it has none.
        self.runs = runs
        #: Refusals, by the places of their payloads.
        self.refused = {place: each for place, each in problems.items() if each is not None}
        detail = f"{len(self.refused)} of {len(runs)} triggers were refused"
        if self.refused:
            place, first = next(iter(self.refused.items()))
            detail += f", the first at {place}: {first['detail']}"
        if broke_off is not None:
            begun = sum(1 for each in runs if each is not None)
            detail = f"{begun} of {len(runs)} triggers have runs, then: {broke_off.detail}"
        super().__init__("not_all_triggered", detail)


def default_client() -> TimegateClient:
    """Return this process's client of the stage that its triggers are for.

    That is the stage of the worker whose handler triggers, or which this process is, and the
    environment's otherwise. Raises ``CredentialsError``.
    """
    context = CURRENT.get()
    of_handler = context.profile if context is not None else None
    return _client_of(of_handler or next(reversed(_SERVED), None))


@contextmanager
def triggering_as(profile: Profile | None) -> Iterator[None]:
    """Let triggers of this process go where its runs come from; ``None``: the environment's."""
    served = [] if profile is None else [profile]
    _SERVED.extend(served)
    try:
        yield
    finally:
        del _SERVED[len(_SERVED) - len(served) :]


@cache
def _client_of(profile: Profile | None) -> TimegateClient:
    return TimegateClient(profile or load_profile(os.environ))


if hasattr(os, "register_at_fork"):  # Not on Windows, which forks nothing.
    # Two processes on one connection would read each other's answers.
    os.register_at_fork(after_in_child=_client_of.cache_clear)


def job_called(client: TimegateClient, name: str) -> str:
    """The id of the job of this name; raises ``NotDeployed``."""
    found = [
        job["job_id"]
        for job in client.list_jobs.iterate(name=name, limit=100)
        if job["status"] != "cancelled"
    ]
    if len(found) == 1:
        return found[0]
    if found:
        detail = f"{len(found)} jobs are called {name}: {', '.join(found[:3])}."
        raise NotDeployed("ambiguous_name", detail)
    detail = f"No job is called {name}; timegate deploy makes those of a file."
    raise NotDeployed("not_deployed", detail)


@dataclass(frozen=True, kw_only=True, slots=True)
class TriggeredRun(Generic[Result]):
    """One run of a declared job."""

    run_id: str
    client: TimegateClient = field(repr=False)
    returns: Shape = field(repr=False)

    def get(self) -> Run:
        """Read the run as it is; raises ``ClientError``."""
        return self.client.get_run(self.run_id)

    def wait(self, *, timeout_seconds: float | None = None) -> Result:
        """Wait until the run has ended, and return its result.

        A trigger that collapsed with others returns that of the run that stands for them. Raises
        ``RunNotSucceeded`` for another end, and ``RunNotEnded`` after the timeout.
        """
        run = self.client.wait_for_run(self.run_id, timeout_seconds=timeout_seconds)
        if run["state"] != "succeeded":
            raise RunNotSucceeded(run)
        return replace(self, run_id=run["run_id"]).result()

    def result(self) -> Result:
        """Return the result of a run that has succeeded, in the type of its function.

        Raises ``ClientError``, also for one of which the stage keeps the beginning alone
        (``result_cut``), and ``ShapeMismatch`` if another version of the function returned it.
        """
        # No result is recorded as no text.
        text = self._text() or ""
        if self.returns.kind is str:
            return cast("Result", text)
        if not text:
            return self._read(None)
        try:
            return self._read(_loaded(text))
        except ShapeMismatch:
            # Text that looks like other JSON stands as it is where the type takes text.
            with suppress(ShapeMismatch):
                return self._read(text)
            raise

    def _text(self) -> str | None:
        answer = self.client.get_result(self.run_id)
        # The record has the beginning of what a link leads to.
        if answer["link"] is not None:
            return self.client.execute(link(answer["link"]))
        text = answer["result"]
        if text is not None and was_cut(text):
            detail = f"The stage keeps the beginning alone of the result of {self.run_id}."
            raise ResultCut("result_cut", detail)
        return text

    def _read(self, value: Any) -> Result:  # noqa: ANN401 - any JSON
        found: Result = self.returns.read(value) if self._is_readable else value
        return found

    @property
    def _is_readable(self) -> bool:
        try:
            self.returns.check()
        except TypeError:
            return False
        return True


def _loaded(text: str) -> Any:  # noqa: ANN401 - any JSON
    """A result is text as it is, and JSON otherwise."""
    try:
        return json.loads(text)
    except ValueError:
        return text
