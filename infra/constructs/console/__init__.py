"""The console: files of a static site, and how a browser is to treat them."""
