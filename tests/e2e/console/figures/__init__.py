"""Figures and charts of the console, each compared with the answers of the API."""
