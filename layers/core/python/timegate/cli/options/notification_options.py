"""The options that say who is told of a job's runs."""

from typing import Annotated

import typer

from timegate.cli.completing.known_words import complete_zones
from timegate.cli.options.channel_options import channel
from timegate.cli.options.job_options import given
from timegate.cli.terminal.option_groups import option_group
from timegate.cli.terminal.values import span_option, whole_seconds
from timegate.domain.jobs.notification import Occasion
from timegate.domain.jobs.retry import MAX_FAILURES_IN_A_ROW

#: Occasions for people who do not name any.
_BAD_ENDS = (Occasion.FAILED, Occasion.TIMED_OUT, Occasion.DEAD_LETTERED)


@option_group("Notifications")
class NotificationOptions:
    """Addresses and occasions of notifications; all addresses have the same occasions."""

    notify: Annotated[
        list[str] | None,
        typer.Option(
            metavar="URL|sns:ARN|slack:SECRET|teams:SECRET|eventbridge:ARN",
            help="Tell this web hook, topic, chat by the secret that has its address, or bus. May"
            " be repeated.",
        ),
    ] = None
    notify_on: Annotated[
        list[Occasion] | None,
        typer.Option(
            help="Tell of this; failed includes dead_lettered. By default of failed, timed_out"
            " and dead_lettered, and of what --late-after, --absent-after, --finish-by and"
            " --pause-after-failures find. May be repeated."
        ),
    ] = None
    notify_sign_with: Annotated[
        str | None,
        typer.Option(metavar="SECRET", help="Sign what is told with the keys of this secret."),
    ] = None
    late_after: Annotated[
        int | None, span_option(help="Call a run late that starts so long after it was due.")
    ] = None
    absent_after: Annotated[
        int | None, span_option(help="Tell when no run has succeeded for so long, such as 26h.")
    ] = None

    finish_by: Annotated[
        str | None,
        typer.Option(
            metavar="TIME|DURATION",
            help="Expect the end of a run by this time of day, such as 06:00, or so"
            " long after its instant, such as 45m.",
        ),
    ] = None
    finish_by_zone: Annotated[
        str | None,
        typer.Option(
            metavar="ZONE",
            autocompletion=complete_zones,
            help="Read --finish-by in this zone; by default the schedule's.",
        ),
    ] = None

    pause_after_failures: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=MAX_FAILURES_IN_A_ROW,
            metavar="COUNT",
            help="Pause the job after so many failed runs in a row.",
        ),
    ] = None

    def as_json(self) -> dict[str, object]:
        """Return the hooks in the API's form."""
        if not self.notify and (self.notify_on or self.notify_sign_with):
            message = "it says what is told, and --notify says whom."
            raise typer.BadParameter(message, param_hint="'--notify-on'")
        hooks = [
            {**channel(text, sign_with=self.notify_sign_with), "on": self._occasions()}
            for text in self.notify or ()
        ]
        return given(
            {
                "notifications": hooks or None,
                "late_after_seconds": self.late_after,
                "absent_after_seconds": self.absent_after,
                "finish_by": self._finish_by(),
                "pause_after_failures": self.pause_after_failures,
            }
        )

    def _finish_by(self) -> dict[str, object] | None:
        if self.finish_by is None:
            if self.finish_by_zone is not None:
                message = "it says where the clock of --finish-by is."
                raise typer.BadParameter(message, param_hint="'--finish-by-zone'")
            return None
        if ":" in self.finish_by:
            return given({"time": self.finish_by, "timezone": self.finish_by_zone})
        seconds = whole_seconds(self.finish_by)
        return given({"within_seconds": seconds, "timezone": self.finish_by_zone})

    def _occasions(self) -> list[Occasion]:
        if self.notify_on:
            return list(self.notify_on)
        late = [Occasion.LATE] if self.late_after is not None else []
        late += [Occasion.ABSENT] if self.absent_after is not None else []
        deadline = [each for each in Occasion if each.is_of_deadline and self.finish_by is not None]
        pause = [Occasion.PAUSED] if self.pause_after_failures is not None else []
        return [*_BAD_ENDS, *late, *deadline, *pause]
