"""Words of notices: a sentence for each occasion, and facts of the run."""

from functools import partial

import pytest

from tests.support.execution.telling import hook, notices, run_all, telling
from tests.support.factories import NOW, job_factory
from tests.support.world import World
from timegate.domain.channels.slack import SlackChannel
from timegate.domain.jobs.hook import Subscription
from timegate.domain.jobs.notification import OF_NO_RUN, Occasion
from timegate.domain.jobs.retry import Failure, FailureKind
from timegate.domain.jobs.rules.absence_watch import watch_begun
from timegate.domain.ledger.notice_words import notice_in_words
from timegate.domain.rules.absence_notices import absence_notices
from timegate.domain.values.secrets import SecretRef

GONE = Failure(
    kind=FailureKind.PERMANENT, code="http_410", type="HttpStatus", message="gone\n" * 99
)
CONSOLE = "https://console.example.com"


@pytest.fixture
def document() -> str:
    """Return the notification of a run that failed."""
    world = World()
    telling(world, hook(Occasion.FAILED), name="nightly <load>")
    world.target.then(GONE)
    run_all(world)
    (notice,) = notices(world)
    assert notice.notice is not None
    return notice.notice


def test_a_failure_is_told_with_its_error_and_its_page(document: str) -> None:
    """On lines of their own, each cut to what a person reads."""
    notice = notice_in_words(document, CONSOLE)
    facts = {fact.label: fact.text for fact in notice.facts}

    assert (notice.type, notice.headline) == ("run.failed", "nightly <load> failed")
    assert list(facts) == ["Scheduled", "Ended", "Attempt", "Why", "Error", "Run"]
    assert facts["Error"].startswith("http_410: gone gone")
    assert len(facts["Error"]) == 300
    assert notice.link == f"{CONSOLE}/runs/{facts['Run']}"
    assert notice_in_words(document).link is None


@pytest.mark.parametrize("occasion", [o for o in Occasion if o not in OF_NO_RUN])
def test_every_occasion_has_words(document: str, occasion: Occasion) -> None:
    """A new one without words fails here, and not when it happens.

    Approvals and absences have messages of their own (``tests/unit/usecases/approvals``).
    """
    told = document.replace('"run.failed"', f'"run.{occasion}"')

    assert len(notice_in_words(told).headline) > len("nightly <load> ")


def test_a_chat_is_told_where_people_read_of_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """The executor knows the stage's console."""
    world = World()
    monkeypatch.setattr(world, "execution", partial(world.execution, console_url=CONSOLE))
    secret = SecretRef(ssm_parameter="/timegate-target/acme/slack")
    asked = Subscription(channel=SlackChannel(url_secret=secret), on=(Occasion.SUCCEEDED,))
    telling(world, asked)
    run_all(world)
    (call,) = [each for each in world.target.calls if each.action.type == "chat"]

    assert f"<{CONSOLE}/runs/" in (call.payload or "")


def test_an_absence_is_told_with_its_job_and_since_when() -> None:
    """No run has a page: the job has one."""
    job = job_factory(
        name="nightly", absent_after_seconds=600, notifications=(hook(Occasion.ABSENT),)
    )
    (told,) = absence_notices(job, watch_begun(job, 600), now=NOW)
    notice = notice_in_words(told.notice or "", CONSOLE)

    assert (notice.type, notice.headline) == (
        "job.absent",
        "nightly: no run has succeeded for 10 minutes",
    )
    assert [fact.label for fact in notice.facts] == ["Since", "Job"]
    assert notice.link == f"{CONSOLE}/jobs/{job.job_id}"
