"""Exports, imports, and their crashes."""
