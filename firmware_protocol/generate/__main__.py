"""`python -m firmware_protocol.generate` writes every file that is generated from the message table."""

from __future__ import annotations

from firmware_protocol import table
from firmware_protocol.generate import generated_files


def main() -> None:
    """Writes the files and names those that changed."""
    for path, text in generated_files.texts(table.load()).items():
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
            print(f"wrote {path}")


if __name__ == "__main__":
    main()
