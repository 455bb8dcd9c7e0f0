"""Invocations as Lambda makes them, where the emulator makes others."""
