"""Short ids: the beginning of an id that tells it from the others of a table, as git's do."""

import re
from collections.abc import Collection, Mapping

#: 40 random bits: of a million ids, one in a million begins as a given one does.
SHORTEST = 8
_RUN = re.compile(r"([a-z2-7]{26})\.([a-z])(\d{8}T)(\d{9})(Z.*)")
_STAMPED = re.compile(r"(\d{8}T)(\d{9})(Z.*)")
#: Digits of hours and minutes; and seconds; and milliseconds.
_CLOCK_DIGITS = (4, 6, 9)


def shortened(ids: Collection[str]) -> Mapping[str, str]:
    """Return the short form of each; what is no id stays as it is."""
    runs = {text: match for text in ids if (match := _RUN.fullmatch(text))}
    owners = _unique({match[1] for match in runs.values()} | _plain(ids))
    short = {text: owners.get(text, text) for text in ids}
    for text, match in runs.items():
        others = {each[len(match[1]) + 1 :] for each in ids if each.startswith(f"{match[1]}.")}
        short[text] = f"{owners[match[1]]}.{_beginning(text[len(match[1]) + 1 :], others)}"
    stamped = {text for text in ids if _STAMPED.fullmatch(text)}
    return short | {text: _beginning(text, stamped) for text in stamped}


def _plain(ids: Collection[str]) -> set[str]:
    return {text for text in ids if re.fullmatch(r"[a-z2-7]{26}", text)}


def _unique(ids: Collection[str]) -> dict[str, str]:
    """Return beginnings of one length, which tells these ids apart."""
    length = SHORTEST
    while len({text[:length] for text in ids}) < len(ids):
        length += 1
    return {text: text[:length] for text in ids}


def _beginning(text: str, others: Collection[str]) -> str:
    """Cut an id that holds an instant: no digit that says something goes."""
    begin = text.index("T") + 1
    clock = text[begin : begin + 9]
    digits = next(n for n in _CLOCK_DIGITS if not clock[n:].strip("0"))
    length = begin + digits
    while sum(each.startswith(text[:length]) for each in others) > 1 and length < len(text):
        length += 1
    return text[:length]
