"""Values of options: instants, durations, JSON and pairs."""

import re
import sys
from collections.abc import Iterable
from datetime import datetime
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

import typer

from timegate.declaring.json_reading import read_json
from timegate.domain.values.durations import is_duration, read_duration
from timegate.domain.values.errors import InvalidInput
from timegate.domain.values.written_instants import read_instant

_UNITS = {
    "ms": Fraction(1, 1000),
    "s": Fraction(1),
    "m": Fraction(60),
    "h": Fraction(3600),
    "d": Fraction(86_400),
    "w": Fraction(604_800),
}
_NUMBER = r"\d{1,12}+(?:\.\d{1,3}+)?+"
_PART = re.compile(rf"({_NUMBER})(ms|s|m|h|d|w)")
_DURATION = re.compile(rf"{_NUMBER}|(?:{_PART.pattern})+", re.ASCII)
_TAG_SEPARATOR = re.compile("[=:]")
_HEADER_TEXT = re.compile(r"[\x21-\x7e]{1,255}")


def instant(text: str) -> datetime:
    """An instant with its offset, such as ``2026-11-21T07:00:00Z``."""
    try:
        return read_instant(text)
    except InvalidInput as refused:
        message = f"{text!r}: {refused.detail}"
        raise typer.BadParameter(message) from refused


def seconds(text: str) -> float:
    """Read a duration in seconds: ``90``, ``0.5``, ``250ms``, ``15m``, ``1h30m`` or ``PT90S``."""
    if is_duration(text):
        return _iso_seconds(text)
    if not _DURATION.fullmatch(text):
        message = f"{text!r} is no duration; write 90, 250ms, 15m, 1h30m or PT90S."
        raise typer.BadParameter(message)
    parts = _PART.findall(text) or [(text, "s")]
    total = sum((Fraction(number) * _UNITS[unit] for number, unit in parts), Fraction(0))
    return int(total) if total.denominator == 1 else float(total)


def _iso_seconds(text: str) -> float:
    try:
        return read_duration(text)
    except InvalidInput as refused:
        message = f"{text!r}: {refused.detail}"
        raise typer.BadParameter(message) from refused


def whole_seconds(text: str) -> int:
    """A duration as ``seconds`` reads it, without a fraction of a second."""
    total = seconds(text)
    if not isinstance(total, int):
        message = f"{text!r} is no whole number of seconds."
        raise typer.BadParameter(message)
    return total


def header_text(text: str) -> str:
    """Text that fits into a header, such as an idempotency key."""
    if not _HEADER_TEXT.fullmatch(text):
        message = "it must be 1 to 255 printable ASCII characters without spaces."
        raise typer.BadParameter(message)
    return text


def json_value(text: str) -> Any:  # noqa: ANN401 - any JSON
    """JSON as it is written, in a file as ``@path``, or on standard input as ``-``."""
    if text == "-" or text.startswith("@"):
        return json_file(text.removeprefix("@"))
    return json_text(text, "it")


def present_json(text: str) -> Any:  # noqa: ANN401 - any JSON
    """The same for an option whose absence is ``None``: null is refused."""
    value = json_value(text)
    if value is None:
        message = "null is no value here; --no-payload, where there is one, gives none."
        raise typer.BadParameter(message)
    return value


def json_file(path: str) -> Any:  # noqa: ANN401 - any JSON
    """The JSON in a file; ``-`` is standard input."""
    return json_text(file_text(path), "standard input" if path == "-" else path)


def document_file(path: str) -> Any:  # noqa: ANN401 - any JSON
    """The fields in a file of JSON or YAML, as apply reads both; ``-`` is standard input."""
    text, what = file_text(path), "standard input" if path == "-" else path
    found = _yaml(text, what)
    if isinstance(found, dict) and found.keys() == {"kind", "name", "spec"}:
        message = f"{what} is a document of timegate apply: run timegate apply -f {path}."
        raise typer.BadParameter(message)
    return found


def parameters_value(text: str) -> Any:  # noqa: ANN401 - any JSON
    """An object of JSON as written, or a file of JSON or YAML: ``@path``, ``path`` or ``-``."""
    if text.lstrip().startswith("{"):
        return json_text(text, "it")
    return document_file(text.removeprefix("@"))


def json_lines(path: str) -> list[Any]:
    """Read a file with a value of JSON in each line, or one list of them."""
    text = file_text(path)
    if text.lstrip().startswith("["):
        return list(json_text(text, path))
    # Texts of JSON may hold other characters that separate lines.
    lines = enumerate(text.split("\n"), start=1)
    return [json_text(line, f"line {number} of {path}") for number, line in lines if line.strip()]


def file_text(path: str) -> str:
    """Read a file of UTF-8 text; ``-`` is standard input."""
    try:
        if path == "-":
            text = sys.stdin.read().removeprefix("\ufeff")
            # Python may have kept bytes that are none as halves of characters.
            text.encode()
            return text
        return Path(path).read_text(encoding="utf-8-sig")
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or "it is not UTF-8 text"
        what = "standard input" if path == "-" else path
        message = f"{what} cannot be read: {why}."
        raise typer.BadParameter(message) from error


def pairs(texts: Iterable[str], separator: str, *, option: str) -> dict[str, str]:
    """Read names and their values, each name once; a ``BadParameter`` names the option."""
    found: dict[str, str] = {}
    for text in texts:
        name, between, value = text.partition(separator)
        if not between or name.strip() in found:
            why = "is there twice" if between else f"has no {separator!r}"
            message = f"{text!r} {why}."
            raise typer.BadParameter(message, param_hint=f"'{option}'")
        found[name.strip()] = value.strip()
    return found


def tags(texts: Iterable[str] | None, *, option: str = "--tag") -> dict[str, str] | None:
    """Read tags as ``KEY=VALUE``, or as the API's listings write them; ``None`` for none."""
    # No key of a tag has either of them.
    written = [_TAG_SEPARATOR.sub("=", text, count=1) for text in texts or ()]
    return pairs(written, "=", option=option) if written else None


def tag_filters(texts: Iterable[str] | None) -> list[str] | None:
    """Read tags as ``tags`` does, into the form of the API's listings."""
    read = (tags([text]) or {} for text in texts or ())
    return [f"{key}:{value}" for each in read for key, value in each.items()] or None


def json_text(text: str, what: str) -> Any:  # noqa: ANN401 - any JSON
    """Read JSON of an option; ``what`` names it in the refusal, which is a ``BadParameter``."""
    try:
        return read_json(text)
    except (ValueError, RecursionError) as error:
        message = f"{what} is not JSON: {error}."
        raise typer.BadParameter(message) from error
    except InvalidInput as refused:
        message = f"{what} has {refused.field!r} twice in the same object."
        raise typer.BadParameter(message) from refused


def _yaml(text: str, what: str) -> Any:  # noqa: ANN401 - any JSON
    # Imported here: most commands read no file, and no YAML.
    from timegate.cli.reading.yaml_reading import load  # noqa: PLC0415

    try:
        found = load(text, what)
    except InvalidInput as refused:
        twice = refused.code == "there_twice"
        wrong = f"has {refused.field!r} twice" if twice else "is neither JSON nor YAML"
        message = f"{what} {wrong}. {refused.detail}"
        raise typer.BadParameter(message) from refused
    if not isinstance(found, dict | list):
        message = f"{what} is not JSON, and has no fields as YAML."
        raise typer.BadParameter(message)
    return found


#: Options of values that are read alike, whatever they are for.
instant_option = partial(typer.Option, parser=instant, metavar="INSTANT")
span_option = partial(typer.Option, parser=whole_seconds, metavar="DURATION")
seconds_option = partial(typer.Option, parser=seconds, metavar="DURATION")
document_option = partial(typer.Option, parser=document_file, metavar="PATH|-")
key_option = partial(typer.Option, parser=header_text, metavar="KEY")
