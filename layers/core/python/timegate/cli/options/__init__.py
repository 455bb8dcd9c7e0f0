"""Options of commands, grouped by the part of a definition that they state."""
