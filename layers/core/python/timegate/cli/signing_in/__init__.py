"""Signing people in from the command line, by the page on which they sign in to the console."""
