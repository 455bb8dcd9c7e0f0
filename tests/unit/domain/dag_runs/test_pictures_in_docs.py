"""Pictures in the docs are those that the code draws now, and pages show them."""

import pytest

from tests.support.documents.pictures import FOLDER, pictures

DRAWN = pictures()


@pytest.mark.parametrize("name", sorted(DRAWN))
def test_a_picture_in_the_docs_is_drawn_by_this_code(name: str) -> None:
    """``make pictures`` draws it anew."""
    assert (FOLDER / name).read_text(encoding="utf-8") == DRAWN[name]


def test_there_are_no_others() -> None:
    """One that is drawn no more is removed, and each is shown on some page."""
    pages = [*FOLDER.parents[1].rglob("*.md"), FOLDER.parents[2] / "README.md"]
    texts = [page.read_text(encoding="utf-8") for page in pages]

    assert {each.name for each in FOLDER.iterdir()} == DRAWN.keys()
    assert [n for n in sorted(DRAWN) if not any(f"images/dags/{n}" in text for text in texts)] == []
