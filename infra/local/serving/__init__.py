"""The emulator's work for a request, done in less processor time and with the same answer."""
