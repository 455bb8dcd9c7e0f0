"""Rules of AWS's services that emulators and stubs do not keep."""
