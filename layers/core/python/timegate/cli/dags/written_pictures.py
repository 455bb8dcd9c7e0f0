"""Pictures of DAGs, printed or written into files."""

from pathlib import Path
from typing import Annotated

import typer

from timegate.cli.showing.data import steady
from timegate.client.schemas import PictureScheme
from timegate.domain.dag_runs.pictures.svg import PictureScheme as Scheme
from timegate.value_classes import dataclass

SVG = ".svg"


@dataclass(frozen=True)
class PictureOptions:
    """Form of a picture, and the file that it is written into."""

    svg: Annotated[
        bool, typer.Option("--svg", help="Draw SVG; a file that is called so has it as well.")
    ] = False
    to: Annotated[
        Path | None,
        typer.Option(metavar="PATH", help="Write it there, and print nothing."),
    ] = None
    scheme: Annotated[
        Scheme | None,
        typer.Option(help="Give SVG these colours; by default those of the reader's system."),
    ] = None

    @property
    def is_svg(self) -> bool:
        """It is SVG: by its option, or by the name of its file."""
        return self.svg or (self.to is not None and self.to.suffix.lower() == SVG)

    @property
    def colours(self) -> PictureScheme | None:
        """Return the scheme as the API takes it; ``None``: its own default."""
        return None if self.scheme is None else self.scheme.value

    def write(self, text: str) -> None:
        """Write a picture into its file; print it where none is named."""
        if self.to is None:
            typer.echo(steady(text), nl=False)
            return
        try:
            self.to.write_text(text, encoding="utf-8")
        except OSError as error:
            message = f"{self.to} cannot be written: {error.strerror}."
            raise typer.BadParameter(message) from error
