"""The documentation holds together: rooms, links, navigation, and paths that code names.

``make docs`` checks links and anchors between pages of the site. The rest is checked here.
"""

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).resolve().parents[3]
DOCS = ROOT / "docs"
RECORDS = DOCS / "decisions"
#: Entries of a folder; a longer list is read, and not seen.
ENTRIES = 15
_LINK = re.compile(r"\]\(([^)#\s]*)(?:#([^)\s]+))?\)")
_FENCE = re.compile(r"^ *```.*?^ *```", re.MULTILINE | re.DOTALL)


def tracked() -> list[Path]:
    """Every file of the repository."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    return [path for name in listed.splitlines() if (path := ROOT / name).is_file()]


FILES = tracked()
PAGES = [path for path in FILES if path.suffix == ".md"]
SITE = [path for path in PAGES if DOCS in path.parents and RECORDS not in path.parents]


def name_of(path: Path) -> str:
    """A file as people name it."""
    return str(path.relative_to(ROOT))


def prose(page: Path) -> str:
    """A page without its code."""
    return re.sub(r"`[^`\n]*`", "``", _FENCE.sub("", page.read_text()))


def links(page: Path) -> Iterator[tuple[Path, str]]:
    """Targets of a page's links within the repository, and their anchors."""
    for target, anchor in _LINK.findall(prose(page)):
        if not re.match(r"[a-z]+:", target):
            yield ((page.parent / target).resolve() if target else page), anchor


def anchors(page: Path) -> set[str]:
    """Anchors of a page's headings, as GitHub and the site make them."""
    headings = re.findall(r"^#+ (.+)$", _FENCE.sub("", page.read_text()), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", each.lower()).strip().replace(" ", "-") for each in headings}


def settings() -> dict[str, Any]:
    """The site's settings; every value is text."""
    return dict(yaml.load((ROOT / "mkdocs.yml").read_text(), Loader=yaml.BaseLoader))


def navigated(entries: list[Any]) -> Iterator[str]:
    """Pages of the navigation, in order."""
    for entry in entries:
        if isinstance(entry, str):
            yield entry
            continue
        for value in entry.values():
            yield from [value] if isinstance(value, str) else navigated(value)


def test_a_link_leads_to_a_heading_of_a_file() -> None:
    """A link of a page leads to a file of the repository, and to a heading of that file."""
    dead = {
        f"{name_of(page)}: {target}#{anchor}"
        for page in PAGES
        for target, anchor in links(page)
        if not target.exists() or (anchor and anchor not in anchors(target))
    }

    assert dead == set()


def test_a_page_of_the_site_links_to_the_site() -> None:
    """Files outside ``docs`` are not on the site: their paths are named, not linked."""
    outside = {
        f"{name_of(page)}: {target}"
        for page in PAGES
        for target, _ in links(page)
        if DOCS in page.parents and not target.is_relative_to(DOCS)
    }

    assert outside == set()


def test_every_page_is_in_the_navigation_once() -> None:
    """The builder reports neither a page outside the navigation nor a missing one."""
    records = {"decisions/index.md"} if (RECORDS / "index.md").exists() else set()
    expected = {str(page.relative_to(DOCS)) for page in SITE} | records

    assert sorted(navigated(settings()["nav"])) == sorted(expected)


def test_the_first_page_links_to_every_page() -> None:
    """The first page lists all others, with their contents."""
    linked = {target for target, _ in links(DOCS / "index.md")}

    assert {name_of(page) for page in SITE if page.name != "index.md"} <= {
        name_of(page) for page in linked
    }


def test_a_room_of_the_documentation_is_seen_at_a_glance() -> None:
    """Pages are grouped by kind; records and examples are lists of one kind each."""
    rooms = {path.parent for path in FILES if DOCS in path.parents}
    rooms -= {RECORDS, DOCS / "examples"}
    crowded = {
        name_of(room): found
        for room in rooms
        if (found := sum(path.parent == room for path in FILES)) > ENTRIES
    }

    assert crowded == {}


def test_paths_of_pages_that_files_name_exist() -> None:
    """A comment, a message or a test that names a page names one that is there."""
    pattern = re.compile(r"\bdocs/[\w./-]+\.(?:md|json|ya?ml)\b")
    texts = [path for path in FILES if path.suffix in {".py", ".md", ".toml", ".json", ".yml", ""}]
    lost = {
        f"{name_of(path)}: {named}"
        for path in texts
        if path.name not in {"uv.lock", "package-lock.json", "CHANGELOG.md"}
        for named in pattern.findall(path.read_text(errors="ignore"))
        if not (ROOT / named).is_file()
    }

    assert lost == set()


def test_a_list_follows_an_empty_line() -> None:
    """The site prints a list that follows a line of text as text."""
    item = r"([-*]|\d+\.) "
    glued = {
        f"{name_of(page)}: {block[:60]}"
        for page in SITE
        for block in re.split(r"\n\s*\n", _FENCE.sub("", page.read_text()))
        if not re.match(rf"\s*{item}", block) and re.search(rf"\n{item}", block)
    }

    assert glued == set()


def test_the_site_loads_its_diagrams_from_itself() -> None:
    """Without a copy of its own the theme takes Mermaid, and fonts, from a public host."""
    site = settings()
    (copied,) = re.findall(r"^MERMAID := docs/(.+)$", (ROOT / "Makefile").read_text(), re.MULTILINE)

    assert site["extra_javascript"] == [copied]
    assert site["theme"]["font"] == "false"
