"""Spoils plain data, lines and bytes, as slips, old programs, bad disks and ill will do."""

from __future__ import annotations

from random import Random
from typing import Any

ODD: tuple[Any, ...] = (
    None, True, False, 0, -1, 1, 2, 7, 12, 13, 144, 2**31, 2**63 - 1, 2**64, -(2**63), 0.5, -0.0, 1e308, "", " ", "0",
    "²", "٣", "𝟙", "\x00", "\ud7ff", "??", "R", "R1", "R12", "R13", "swap R/G", "draw", "red", "pink", "red.4", "red.10",
    "seat0.hand", "seat9.hand", "player 1", "x" * 300, "../../etc/passwd", "<script>", [], [[]], {}, [None], {"": None},
    {"type": "drawn"}, {"type": "rolled", "faces": []}, {"type": "rolled", "faces": [{}]}, {"kind": "spectrum-d6"},
    {"kind": "", "face": ""}, {"kind": "card", "color": "red", "rank": 1}, ["R5", "R6"], ["d6 red", "d12"],
)  # fmt: skip
"""Values where others are expected."""

WORDS = (
    "player 1", "player 9", "player 0", "plays", "takes", "draws", "moves", "puts", "lays", "to", "on", "with", "for",
    ",", ", ,", "??", "R5", "GB12", "draw", "swap R/G", "red.4", "c17", "by 2", "12", "²", "-1", "as part 3", "rolled",
    "d6", "d12", "red", "nothing", "hand", "crib", "99999999999999999999", "\n", "\u202e",
)  # fmt: skip
"""Words that lines of notation have, and some that none has."""


def spoiled(rng: Random, plain: Any, times: int = 1) -> Any:
    """Plain data with something replaced, left out, doubled or added."""
    for _ in range(times):
        plain = _once(rng, plain)
    return plain


def _once(rng: Random, plain: Any) -> Any:
    if isinstance(plain, dict) and plain and rng.random() < 0.85:
        key = rng.choice(list(plain))
        changed = dict(plain)
        match rng.randrange(8):
            case 0:
                del changed[key]
            case 1:
                changed[rng.choice(("", "x", "type", "seat", key + "s"))] = rng.choice(ODD)
            case 2:
                changed[key] = rng.choice(ODD)
            case _:
                changed[key] = _once(rng, plain[key])
        return changed
    if isinstance(plain, list | tuple) and plain and rng.random() < 0.85:
        found = list(plain)
        place = rng.randrange(len(found))
        match rng.randrange(8):
            case 0:
                del found[place]
            case 1:
                found.insert(place, rng.choice(ODD))
            case 2:
                found.insert(place, found[place])
            case 3:
                found.reverse()
            case _:
                found[place] = _once(rng, found[place])
        return found
    if isinstance(plain, str) and rng.random() < 0.6:
        return spoiled_line(rng, plain)
    if isinstance(plain, int) and rng.random() < 0.5:
        return plain + rng.choice((-1, 1, 2, -1000, 10**6))
    return rng.choice(ODD)


def spoiled_line(rng: Random, line: str) -> str:
    """A line with words left out, doubled, exchanged or added, or with a letter changed."""
    words = line.split(" ")
    place = rng.randrange(len(words))
    match rng.randrange(6):
        case 0:
            del words[place]
        case 1:
            words.insert(place, rng.choice(WORDS))
        case 2:
            words[place] = rng.choice(WORDS)
        case 3:
            words.insert(place, words[place])
        case 4:
            other = rng.randrange(len(words))
            words[place], words[other] = words[other], words[place]
        case _:
            at = rng.randrange(len(line) + 1)
            return line[:at] + rng.choice(("", ",", "²", "9", "R", " ", ".", "?")) + line[at + 1 :]
    return " ".join(words)


def spoiled_bytes(rng: Random, data: bytes) -> bytes:
    """Bytes with bits flipped, a part cut out, doubled, exchanged or overwritten, or the end missing."""
    found = bytearray(data)
    if not found:
        return b""
    match rng.randrange(7):
        case 0:
            for _ in range(rng.choice((1, 1, 1, 5, 50))):
                found[rng.randrange(len(found))] ^= 1 << rng.randrange(8)
        case 1:
            del found[rng.randrange(len(found)) :]
        case 2:
            at = rng.randrange(len(found))
            del found[at : at + rng.randrange(1, 600)]
        case 3:
            at, to, size = rng.randrange(len(found)), rng.randrange(len(found)), rng.randrange(1, 600)
            found[to : to + size] = found[at : at + size]
        case 4:
            at = rng.randrange(len(found))
            found[at : at + rng.randrange(1, 5000)] = bytes(rng.randrange(1, 5000))
        case 5:
            at = rng.randrange(len(found))
            found[at:at] = rng.randbytes(rng.randrange(1, 300))
        case _:
            size = rng.choice((1, 16, 512, 4096))
            one, other = (rng.randrange(max(len(found) // size, 1)) * size for _ in range(2))
            found[one : one + size], found[other : other + size] = found[other : other + size], found[one : one + size]
    return bytes(found)
