"""``ArchiveFiles``: a file is created once, and stays as it is."""

from timegate.ports.archive import ArchiveFiles


def test_a_file_is_created_once(files: ArchiveFiles) -> None:
    """A second creation changes nothing, and says so."""
    first = files.create("attempts/a", b"one")
    second = files.create("attempts/a", b"two")

    assert (first, second) == (True, False)
    assert files.read("attempts/a") == b"one"


def test_a_missing_file_is_none(files: ArchiveFiles) -> None:
    """Nothing is raised: readers ask for files that may not be there."""
    assert files.read("attempts/a") is None


def test_folders_and_paths_are_listed_in_order(files: ArchiveFiles) -> None:
    """Folders below a folder from a name on; paths of all that is below it."""
    for path in ("rounds/b/plan", "rounds/a/plan", "rounds/a/list", "rounds/c/plan", "gaps/z/f"):
        files.create(path, b"")

    assert files.folders("rounds/") == ["a", "b", "c"]
    assert files.folders("rounds/", since="b") == ["b", "c"]
    assert files.folders("nothing/") == []
    assert files.paths("rounds/a/") == ["rounds/a/list", "rounds/a/plan"]
