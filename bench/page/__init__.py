"""``docs/design/performance.md``: its tables and plots, written from stored answers."""
