"""Limits and meanings of fields, beside their types: the API's contracts are derived from them."""

from timegate.value_classes import dataclass

#: Names and values end up in terminals, headers and subjects of mails: no control characters, those
#: of C1 included. A terminal may obey them, and SNS refuses a subject with one.
PRINTABLE = r"^[^\x00-\x1f\x7f-\x9f]*$"


@dataclass(frozen=True, kw_only=True, slots=True)
class Text:
    """Limits of a text, in characters, and its pattern."""

    min_length: int | None = None
    max_length: int | None = None
    pattern: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Number:
    """Limits of a number, both included."""

    at_least: int
    at_most: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Entries:
    """The limit of a list or an object, in entries."""

    at_most: int


@dataclass(frozen=True, kw_only=True, slots=True)
class OneOf:
    """The texts that a field takes."""

    texts: tuple[str, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Seconds:
    """A number of seconds, which may be written as a duration."""


@dataclass(frozen=True, slots=True)
class Meaning:
    """The field's description, for readers of the API."""

    text: str


#: An ARN of any resource; the kind's rules have its form.
ARN = Text(max_length=512)
