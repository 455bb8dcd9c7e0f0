"""The comparison of documents with what commands print."""

import pytest

from tests.support.documents.transcript import Comparison

PROMISED = "job_id  bwjvcytzr72gxmnvxjbslykqdc\nlate  144 ms at 2026-11-21 09:16:03.738 UTC\n"


@pytest.mark.parametrize(
    ("printed", "same"),
    [
        pytest.param(PROMISED, True, id="the same"),
        pytest.param(
            "job_id  aaaaaaaaaaaaaaaaaaaaaaaaaa\nlate 9 ms at 2027-01-01 00:00:00.000 UTC",
            True,
            id="another id and another day",
        ),
        pytest.param(PROMISED.replace("late", "soon"), False, id="another word"),
        pytest.param(PROMISED + "more", False, id="a line more"),
        pytest.param(PROMISED.splitlines()[0], False, id="a line less"),
    ],
)
def test_only_what_changes_every_day_may_differ(printed: str, *, same: bool) -> None:
    """Ids, instants, durations and the width of columns."""
    assert Comparison().matches(PROMISED, printed) is same


def test_an_id_stays_the_one_it_was_found_to_be() -> None:
    """Later commands and outputs use it."""
    comparison = Comparison()
    today = "a" * 26
    comparison.matches(PROMISED, PROMISED.replace("bwjvcytzr72gxmnvxjbslykqdc", today))

    assert comparison.translate("get bwjvcytzr72gxmnvxjbslykqdc") == f"get {today}"
    assert comparison.matches("bwjvcytzr72gxmnvxjbslykqdc", today)
    assert not comparison.matches("bwjvcytzr72gxmnvxjbslykqdc", "b" * 26)
