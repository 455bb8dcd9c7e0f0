"""Pictures of a shop's pages: each is drawn, and ``make pictures`` keeps them for the docs."""

import pytest

from infra.local.webhook_target import Recorder
from tests.e2e.console.desk import Desk
from tests.e2e.console.pictures.shop import Shop, opened
from tests.support.command_line import CommandLine
from tests.support.deployed.stack import Stack

pytestmark = pytest.mark.deep


@pytest.fixture(scope="module")
def shop(stack: Stack, recorder: Recorder, tmp_path_factory: pytest.TempPathFactory) -> Shop:
    """The shop at work."""
    timegate = CommandLine.of_first(stack, tmp_path_factory.mktemp("profile"))
    return opened(stack, recorder, timegate, tmp_path_factory.mktemp("shop"))


#: Name, scheme, page, and words of it that are in the middle of the picture, or above.
PICTURES = (
    ("overview", "light", "/", "Overview"),
    ("jobs", "dark", "/jobs", "Jobs"),
    ("ledger", "light", "/jobs/{card-settlements}", "One day"),
    ("run", "light", "/runs/{retried}", "nightly-invoices"),
    ("dag-run", "dark", "/dag-runs/{month}", "Compare"),
    ("decisions", "light", "/decisions", "Needs a decision"),
    ("all-runs", "light", "/runs/all?since=7d", "nightly-invoices"),
    ("calendar", "light", "/calendars/bank-holidays", "Calendar bank-holidays"),
)


def test_each_page_of_the_docs_shows_the_shop(shop: Shop, desk: Desk) -> None:
    """Each picture that the docs have, with what is below a page's head where it has tabs."""
    for name, scheme, path, word in PICTURES:
        desk.go(path.format_map(shop.ids))
        desk.page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        desk.says(word)
        desk.page.get_by_text(word).first.evaluate("each => each.scrollIntoView({block: 'center'})")
        desk.visit.picture(name, scheme)

    assert desk.complaints() == []
