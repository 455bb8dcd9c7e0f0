"""Output of commands: tables, data and streams."""
