"""Schemas of payloads: a closed part of JSON Schema, read and checked within bounds."""
