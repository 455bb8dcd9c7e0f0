"""The options that say how a run is tried again."""

from typing import Annotated

import typer

from timegate.cli.completing.words_of_jobs import complete_errors
from timegate.cli.options.job_options import given
from timegate.cli.terminal.option_groups import option_group
from timegate.cli.terminal.values import seconds_option, span_option
from timegate.domain.jobs.delivery import DeliveryMode
from timegate.domain.jobs.retry import Backoff


@option_group("Retry")
class RetryOptions:
    """Number of attempts of a run, and the delays between them."""

    max_attempts: Annotated[
        int | None, typer.Option(metavar="N", help="Try so often; 3 by default.")
    ] = None
    backoff: Annotated[
        Backoff | None, typer.Option(help="Let the delay grow so; exponential by default.")
    ] = None
    initial_delay: Annotated[
        float | None, seconds_option(help="Wait so long before the second attempt; 1 s by default.")
    ] = None
    max_delay: Annotated[
        float | None, seconds_option(help="Wait at most so long; 5 min by default.")
    ] = None
    retry_delay: Annotated[
        list[float] | None,
        seconds_option(
            help="Wait so long before the next retry in turn; repeat it for each. The last stands"
            " for those that follow."
        ),
    ] = None
    jitter: Annotated[
        bool | None, typer.Option("--jitter/--no-jitter", help="Spread retries, as by default.")
    ] = None
    retry_window: Annotated[
        int | None, span_option(help="Start no retry later than that after the run's instant.")
    ] = None
    retry_on: Annotated[
        list[str] | None,
        typer.Option(
            metavar="ERROR",
            autocompletion=complete_errors,
            help="Try again although it is permanent, such as http_409; may be repeated.",
        ),
    ] = None
    give_up_on: Annotated[
        list[str] | None,
        typer.Option(
            metavar="ERROR",
            autocompletion=complete_errors,
            help="Give up after this error, such as timeout; may be repeated.",
        ),
    ] = None
    breaker_failures: Annotated[
        int | None,
        typer.Option(
            metavar="N", help="Give up after so many that break the target; 3 by default."
        ),
    ] = None
    breaker_window: Annotated[
        float | None, seconds_option(help="Count them over so long; 1 min by default.")
    ] = None
    no_breaker: Annotated[
        bool, typer.Option("--no-breaker", help="Use all attempts, however fast they fail.")
    ] = False

    delivery: Annotated[
        DeliveryMode | None,
        typer.Option(help="Say how often a run may reach its target; at_least_once by default."),
    ] = None

    def as_json(self) -> dict[str, object]:
        """Return the policy in the API's form."""
        return given({"retry": self._policy() or None, "delivery": self.delivery})

    def _policy(self) -> dict[str, object]:
        retry = given(
            {
                "max_attempts": self._attempts(),
                "backoff": self.backoff,
                "initial_delay_seconds": self.initial_delay,
                "max_delay_seconds": self.max_delay,
                "delays_seconds": self.retry_delay or None,
                "jitter": self.jitter,
                "window_seconds": self.retry_window,
                "retry_on": self.retry_on or None,
                "give_up_on": self.give_up_on or None,
            }
        )
        return retry | self._breaker()

    def _attempts(self) -> int | None:
        """One more than the delays that are listed, where no option says otherwise."""
        if self.max_attempts is None and self.retry_delay:
            return len(self.retry_delay) + 1
        return self.max_attempts

    def _breaker(self) -> dict[str, object]:
        breaker = given({"failures": self.breaker_failures, "window_seconds": self.breaker_window})
        if not self.no_breaker:
            return {"breaker": breaker} if breaker else {}
        if breaker:
            message = "--no-breaker goes with no other option about the breaker."
            raise typer.BadParameter(message)
        return {"breaker": None}
