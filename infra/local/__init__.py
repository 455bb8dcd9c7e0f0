"""The local cloud: the real app, deployed by the real CDK CLI into an emulator on this machine."""
