"""Names that the shell offers after a tab, beside commands and options."""
