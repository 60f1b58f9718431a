"""Templates are compiled once for all applications of a process: each table and each lesson is an application."""

from __future__ import annotations

from types import CodeType

from jinja2 import BytecodeCache
from jinja2.bccache import Bucket


class CompiledTemplates(BytecodeCache):
    """Keeps the code of templates in memory; a template that was changed is compiled anew."""

    def __init__(self) -> None:
        self._code: dict[str, tuple[str, CodeType]] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        """Give a bucket the code that is kept, if its template is still the same."""
        checksum, code = self._code.get(bucket.key, ("", None))
        if checksum == bucket.checksum:
            bucket.code = code

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keeps the compiled templates."""
        if bucket.code is not None:
            self._code[bucket.key] = bucket.checksum, bucket.code


COMPILED = CompiledTemplates()
