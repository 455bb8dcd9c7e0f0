"""Trace contexts, as targets are told them."""

import re


class InTrace(str):
    """A trace, which equals the header of each call in it that is recorded."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return re.fullmatch(rf"00-{self}-[0-9a-f]{{16}}-01", str(other)) is not None

    __hash__ = str.__hash__
