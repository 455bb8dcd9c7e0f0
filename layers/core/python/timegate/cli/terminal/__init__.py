"""Ground of every command: session, tables, words, values behind options."""
