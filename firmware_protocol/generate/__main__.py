"""`python -m firmware_protocol.generate`: write everything that comes from the message table."""

from __future__ import annotations

from firmware_protocol import table
from firmware_protocol.generate import generated_files


def main() -> None:
    """Write the files and name those that changed."""
    for path, text in generated_files.texts(table.load()).items():
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
            print(f"wrote {path}")


if __name__ == "__main__":
    main()
