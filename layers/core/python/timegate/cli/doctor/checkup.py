"""A checkup: steps that are taken one after the other, and what each found."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import field
from datetime import datetime
from enum import StrEnum
from http import HTTPStatus

from timegate.client import ClientError, CredentialsError, JsonObject, NotReachable, ProblemError
from timegate.value_classes import dataclass


class StepOutcome(StrEnum):
    """Outcomes of a step."""

    OK = "ok"
    #: It works, and something about it needs a look.
    WARNING = "warning"
    PROBLEM = "problem"
    #: It was not taken, for the reason that it tells.
    SKIPPED = "skipped"


@dataclass(frozen=True, kw_only=True, slots=True)
class TakenStep:
    """One step, and what it found."""

    step: str
    outcome: StepOutcome
    detail: str
    #: Advice about it.
    remedy: str = ""
    seconds: float = 0.0

    def data(self) -> JsonObject:
        """Return it for programs."""
        return {
            "step": self.step,
            "outcome": self.outcome.value,
            "detail": self.detail,
            "remedy": self.remedy or None,
            "seconds": round(self.seconds, 2),
        }


class StepEnded(Exception):
    """Ends a step otherwise than well."""

    def __init__(self, outcome: StepOutcome, detail: str, remedy: str = "") -> None:
        super().__init__(detail)
        self.outcome = outcome
        self.detail = detail
        self.remedy = remedy


@dataclass(kw_only=True)
class Checkup:
    """Steps that were taken so far; each is told as soon as it has ended."""

    now: Callable[[], datetime]
    tell: Callable[[TakenStep], None]
    findings: list[TakenStep] = field(default_factory=list)
    #: It was no answer, or no credentials, that ended it.
    has_access: bool = True

    def step(self, name: str, take: Callable[[], str]) -> bool:
        """Take a step, which returns what it found; ``False``: a problem."""
        began = self.now()
        outcome, remedy = StepOutcome.OK, ""
        try:
            detail = take()
        except StepEnded as ended:
            outcome, detail, remedy = ended.outcome, ended.detail, ended.remedy
        except ClientError as error:
            self.fail(name, error)
            return False
        seconds = (self.now() - began).total_seconds()
        self._add(
            TakenStep(step=name, outcome=outcome, detail=detail, remedy=remedy, seconds=seconds)
        )
        return outcome is not StepOutcome.PROBLEM

    def fail(self, name: str, error: ClientError) -> None:
        """Say that a step ended in an error."""
        if isinstance(error, CredentialsError | NotReachable):
            self.has_access = False
        detail, remedy = _words(error), _remedy(error)
        self._add(TakenStep(step=name, outcome=StepOutcome.PROBLEM, detail=detail, remedy=remedy))

    @property
    def is_well(self) -> bool:
        """Tell that no step found a problem."""
        return all(each.outcome is not StepOutcome.PROBLEM for each in self.findings)

    def data(self) -> JsonObject:
        """Return all of it for programs."""
        return {"ok": self.is_well, "steps": [each.data() for each in self.findings]}

    def _add(self, finding: TakenStep) -> None:
        self.findings.append(finding)
        self.tell(finding)


def is_not_allowed(error: ProblemError) -> bool:
    """Tell that the token is good, and does not allow this."""
    return error.status == HTTPStatus.FORBIDDEN and error.code != "invalid_tenant"


@contextmanager
def allowed(scope: str) -> Iterator[None]:
    """Skip a step for which the token lacks a scope."""
    try:
        yield
    except ProblemError as error:
        if not is_not_allowed(error):
            raise
        raise StepEnded(
            StepOutcome.SKIPPED, f"The profile's token has no scope timegate/{scope}."
        ) from error


def _words(error: ClientError) -> str:
    fields = "; ".join(f"{e.field} [{e.code}]: {e.detail}" for e in getattr(error, "errors", ()))
    return f"[{error.code}] {error.detail}{f' ({fields})' if fields else ''}"


def _remedy(error: ClientError) -> str:
    match error:
        case CredentialsError():
            return "Look at the profile: timegate profiles list; timegate profiles use NAME."
        case NotReachable():
            return (
                "Compare the profile's api_url with the output ApiUrl of the stage's Api stack, "
                "and look for a proxy or a firewall between here and there."
            )
        case ProblemError() if error.status >= HTTPStatus.INTERNAL_SERVER_ERROR:
            return (
                f"Search the API function's log for the request id {error.request_id}; "
                "docs/operations/runbooks.md#api-errors says the rest."
            )
        case ProblemError() if error.status in {HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN}:
            return "Give the profile's client the scope, or choose another profile."
        case _:
            return "docs/reference/errors.md says what the code means."
