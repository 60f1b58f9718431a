"""Generates the files that must agree with the message table: Python types, the C header, the tables in SPEC.md."""
