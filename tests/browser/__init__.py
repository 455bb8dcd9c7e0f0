"""The console in a real browser, without a stack: answers are the examples of the description."""
