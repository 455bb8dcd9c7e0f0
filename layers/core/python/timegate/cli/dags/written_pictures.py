"""Pictures of DAGs, printed or written into files."""

from pathlib import Path

import typer


def write_drawn(text: str, to: Path | None) -> None:
    """Write a picture into a file; print it where none is named."""
    if to is None:
        typer.echo(text, nl=False)
        return
    try:
        to.write_text(text, encoding="utf-8")
    except OSError as error:
        message = f"{to} cannot be written: {error.strerror}."
        raise typer.BadParameter(message) from error
