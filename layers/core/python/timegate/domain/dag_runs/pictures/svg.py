"""Sheets of all pictures: texts that cannot run, and colours in light and in dark."""

from enum import StrEnum
from html import escape

from timegate.value_classes import dataclass


class PictureScheme(StrEnum):
    """Colours of a picture."""

    #: Light or dark, as the system of the reader has it.
    AUTO = "auto"
    LIGHT = "light"
    DARK = "dark"


@dataclass(frozen=True, kw_only=True, slots=True)
class Look:
    """Style sheets of one kind of picture: those of any scheme, and colours on either sheet."""

    always: str
    light: str
    dark: str

    def sheet(self, scheme: PictureScheme) -> str:
        """Return the style sheet of a picture; each scheme has one, whatever the picture shows."""
        match scheme:
            case PictureScheme.AUTO:
                dark = f"@media(prefers-color-scheme:dark){{{self.dark}}}"
                return f"{self.always}{self.light}{dark}"
            case PictureScheme.LIGHT:
                return f"{self.always}{self.light}"
            case PictureScheme.DARK:
                return f"{self.always}{self.dark}"


@dataclass(frozen=True, kw_only=True, slots=True)
class Sheet:
    """A picture before it is text."""

    title: str
    description: str
    width: int
    height: int
    #: SVG, drawn over the sheet.
    content: str

    def svg(self, style: str) -> str:
        """Return the picture, which needs nothing else and has no script."""
        size = f'width="{self.width}" height="{self.height}"'
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self.width} {self.height}"'
            f' {size} role="img" aria-labelledby="title desc">'
            f'<title id="title">{svg_text(self.title)}</title>'
            f'<desc id="desc">{svg_text(self.description)}</desc><style>{style}</style>'
            f'<rect class="sheet" {size}/>{self.content}</svg>\n'
        )


def svg_text(text: str) -> str:
    """Escape text for XML, without the characters that XML cannot have."""
    kept = (c for c in text if c in "\t\n" or c >= " ")
    return escape(
        "".join(c for c in kept if (not "\ud800" <= c <= "\udfff" and c < "\ufffe") or c > "\uffff")
    )
