"""Bytes to the C core of the devices: libFuzzer looks for those that reach new code, and keeps them in a corpus.

`python -m tests.fuzz.firmware SECONDS` goes on from the corpus, adds what reaches new code, and prints the lines that
were reached. The corpus is played again by `tests/firmware_protocol/core/test_corpus.py`, with any compiler.
"""

from __future__ import annotations

import functools
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from random import Random
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from simulation.firmware.toolchain import CORE, FIRMWARE, HERE, build_folder

CORPUS = HERE / "core" / "corpus.zip"
"""The stories of each device, `DEVICE/NAME`."""
DEVICES = ("board", "tower")
RUNS = 10_000
"""Stories of one case: enough that it is not spent on reading the corpus."""
LONGEST_S, MOST_MB = 5, 600
"""A story that takes longer, or more memory, is a finding."""
LONGEST = 400
"""Bytes of one story."""
fed = 0
"""Bytes that came to the devices so far."""


def clang() -> str | None:
    """The compiler with libFuzzer, if it is there (Debian: apt install clang libclang-rt-dev llvm)."""
    names = ("clang", *(f"clang-{number}" for number in range(22, 12, -1)))
    return next((name for name in names if shutil.which(name)), None)


def unpack(device: str, folder: Path) -> Path:
    """Writes the corpus of a device into a folder of its own in `folder`; returns that."""
    with ZipFile(CORPUS) as corpus:
        corpus.extractall(folder, [name for name in corpus.namelist() if name.startswith(f"{device}/")])
    return folder / device


def pack(folder: Path) -> None:
    """Replaces the corpus by the folders of all devices; the same files give the same bytes."""
    with ZipFile(CORPUS, "w", ZIP_DEFLATED) as corpus:
        for path in sorted(path for device in DEVICES for path in (folder / device).iterdir()):
            corpus.writestr(ZipInfo(f"{path.parent.name}/{path.name}"), path.read_bytes(), ZIP_DEFLATED)


@functools.cache
def built(device: str, *flags: str) -> Path:
    """The fuzzer of a device."""
    compiler = clang()
    if compiler is None:
        raise FileNotFoundError("clang is missing (Debian: apt install clang libclang-rt-dev llvm).")
    out = build_folder() / f"fuzz-{device}-{len(flags)}"
    sources = [HERE / "core" / "fuzz_target.c", CORE / "ttp_frame.c", CORE / "ttp_link.c", CORE / f"{device}.c"]
    command = [compiler, "-std=gnu11", "-O1", "-g", "-fsanitize=fuzzer,address,undefined", *flags]
    command += ["-fno-sanitize-recover=all", f"-I{CORE}", f"-I{FIRMWARE / 'native'}"]
    command += [*map(str, sources), str(FIRMWARE / "native" / "hal_native.c"), "-lm", "-o", str(out)]
    subprocess.run(command, check=True, capture_output=True, text=True)
    return out


def one(rng: Random) -> None:
    """Some thousand stories that grow from the corpus; a crash raises with the end of its report."""
    device = rng.choice(DEVICES)
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as grown:
        run(
            device,
            unpack(device, Path(folder)),
            grown,
            f"-runs={RUNS}",
            f"-seed={rng.randrange(1, 2**31)}",
            "-len_control=0",
        )


def run(device: str, corpus: Path, grown: str, *flags: str) -> None:
    """Runs the fuzzer of a device; the stories that reach new code go to `grown`."""
    global fed
    command = [str(built(device)), grown, str(corpus), f"-max_len={LONGEST}", "-verbosity=0"]
    command += [f"-timeout={LONGEST_S}", f"-rss_limit_mb={MOST_MB}", *flags]
    done = subprocess.run(command, cwd=build_folder(), capture_output=True, text=True)
    assert done.returncode == 0, f"{device}: {done.stderr[-1500:]}"
    fed += int(re.findall(r"FED (\d+)", done.stdout)[-1])


def covered(folder: Path) -> str:
    """Returns a table of the lines of the C core that the corpus in `folder` reaches (llvm-cov)."""
    version = (clang() or "").removeprefix("clang")
    flags = ("-fprofile-instr-generate", "-fcoverage-mapping")
    told = []
    for device in DEVICES:
        program, raw = built(device, *flags), build_folder() / f"{device}.profraw"
        subprocess.run(
            [str(program), str(folder / device), "-runs=0", "-verbosity=0"],
            env={"LLVM_PROFILE_FILE": str(raw)}, check=True, capture_output=True,
        )  # fmt: skip
        data = raw.with_suffix(".profdata")
        subprocess.run([f"llvm-profdata{version}", "merge", str(raw), "-o", str(data)], check=True)
        report = [f"llvm-cov{version}", "export", "-summary-only", str(program), f"-instr-profile={data}"]
        summary = subprocess.run(report, check=True, capture_output=True, text=True).stdout
        for name, count, reached in re.findall(
            r'"filename":"[^"]*/core/(\w+\.c)".*?"lines":\{"count":(\d+),"covered":(\d+)', summary
        ):
            if name != "fuzz_target.c":
                told.append(f"{device:<8}{name:<14}{reached:>5} of {count:>4} lines")
    return "\n".join(told)


def main(seconds: float) -> None:
    """Go on from the corpus, keep what reaches new code, and print what is reached."""
    with tempfile.TemporaryDirectory() as before, tempfile.TemporaryDirectory() as after:
        for device in DEVICES:
            corpus, least = unpack(device, Path(before)), Path(after) / device
            least.mkdir()
            with tempfile.TemporaryDirectory() as grown:
                run(device, corpus, grown, f"-max_total_time={max(1, round(seconds / len(DEVICES)))}")
                command = [str(built(device)), "-merge=1", str(least), str(corpus), grown, "-verbosity=0"]
                subprocess.run(command, check=True, capture_output=True)
        pack(Path(after))
        print(f"{fed:,} bytes, no finding")
        print(covered(Path(after)))


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 10.0)
