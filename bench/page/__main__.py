"""Write all tables and plots of ``docs/design/performance.md`` anew: ``python -m bench.page``."""

from bench.page.performance import PAGE, written


def main() -> None:
    """Write the page."""
    PAGE.write_text(written(PAGE.read_text()))


if __name__ == "__main__":
    main()
