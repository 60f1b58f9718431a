"""Writes from the message table what must agree with it: Python types, the C header, the tables in SPEC.md."""
