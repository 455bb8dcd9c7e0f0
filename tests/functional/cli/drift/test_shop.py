"""``examples/shop``: a business in three files, which is made once and is what they say then."""

from tests.architecture.sources import ROOT
from tests.functional.cli.apply.test_apply import Timegate, verbs
from tests.functional.cli.served import served, timegate

__all__ = ["served", "timegate"]

SHOP = str(ROOT / "examples" / "shop")


def test_the_shop_is_made_and_unchanged_then(timegate: Timegate) -> None:
    """Its calendar, its jobs, and the DAG of its months."""
    made = timegate("apply", "-f", SHOP, "--yes", "--json")
    again = timegate("diff", "-f", SHOP, "--json")

    assert set(verbs(made).values()) == {"create"}
    assert set(verbs(again).values()) == {"keep"}
    assert len(verbs(again)) == 10
