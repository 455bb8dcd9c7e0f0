"""Documents of files: YAML or JSON."""

from collections.abc import Iterable, Iterator
from typing import Any

from timegate.cli.apply.files import texts
from timegate.cli.reading.yaml_reading import load_all
from timegate.declaring.declarations import Declaration, declaration_of, declared
from timegate.domain.values.errors import InvalidInput


def read_documents(paths: Iterable[str]) -> list[Declaration]:
    """Every document of files and folders, each after what it refers to.

    Raises ``InvalidInput`` for what is no document, is there twice, or waits for itself.
    """
    return declared(_documents(paths))


def _documents(paths: Iterable[str]) -> Iterator[Declaration]:
    for source, text in texts(paths):
        contents = list(_contents(text, source))
        for number, content in enumerate(contents, start=1):
            place = f"{source}, document {number}" if len(contents) > 1 else source
            yield declaration_of(content, place)


def _contents(text: str, source: str) -> Iterator[Any]:
    """The documents of a file; a list of them is as good as several."""
    for content in _loaded(text, source):
        if isinstance(content, list):
            yield from content
        elif content is not None:
            yield content


def _loaded(text: str, source: str) -> list[Any]:
    try:
        return load_all(text, source)
    except InvalidInput as refused:
        if refused.field == source:
            raise
        # A field that is written twice: a folder has many files with such fields.
        raise InvalidInput(f"{source} {refused.field}", refused.code, refused.detail) from refused
