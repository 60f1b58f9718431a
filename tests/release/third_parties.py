"""`python -m tests.release.third_parties` writes THIRD_PARTY.md, the list of packages and libraries in the container with
their licenses; `make locked` runs it.

It fetches the locked wheels, reads the license from the metadata of each, and lists the libraries in it one by one. It stops at
a package or library whose license it does not know.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterable, Sequence
from email import message_from_bytes
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple
from zipfile import ZipFile

ROOT = Path(__file__).parents[2]
LOCKED = ROOT / "locked" / "container.txt"
LISTED = ROOT / "THIRD_PARTY.md"
PLATFORMS = ("manylinux_2_28_x86_64", "manylinux_2_27_x86_64", "manylinux2014_x86_64")
"""The platform tags whose wheels the container's base image can load."""

UNSPOKEN = {
    "blinker": "MIT",
    "cheroot": "BSD-3-Clause",
    "itsdangerous": "BSD-3-Clause",
    "jinja2": "BSD-3-Clause",
    "opencv-python-headless": "Apache-2.0",
    "pyserial": "BSD-3-Clause",
    "reportlab": "BSD-3-Clause",
    "segno": "BSD-3-Clause",
    "waitress": "ZPL-2.1",
}
"""Licenses of packages whose metadata do not name an SPDX license; a person read them in the packages."""
PLAIN = ("BSD-3-Clause", "MIT")
"""The contents of the older metadata field `License` that are SPDX names already."""
FFMPEG = "FFmpeg, LGPL-2.1-or-later"
KERBEROS = "MIT Kerberos, MIT"
GNU_FORTRAN = "GPL-3.0-or-later WITH GCC-exception-3.1"
LIBRARIES = {
    "Xau": "MIT",
    "aom": "BSD-2-Clause",
    "avcodec": FFMPEG,
    "avformat": FFMPEG,
    "avif": "BSD-2-Clause",
    "avutil": FFMPEG,
    "brotlicommon": "MIT",
    "brotlidec": "MIT",
    "com_err": KERBEROS,
    "crypt": "LGPL-2.1-or-later",
    "crypto.so.1": "OpenSSL, OpenSSL",
    "crypto.so.3": "OpenSSL, Apache-2.0",
    "drm": "MIT",
    "freetype": "FTL",
    "gfortran": GNU_FORTRAN,
    "gssapi_krb5": KERBEROS,
    "harfbuzz": "MIT-Modern-Variant",
    "jpeg": "IJG AND BSD-3-Clause AND Zlib",
    "k5crypto": KERBEROS,
    "keyutils": "LGPL-2.1-or-later",
    "krb5": KERBEROS,
    "krb5support": KERBEROS,
    "lber": "OpenLDAP, OLDAP-2.8",
    "lcms2": "MIT",
    "ldap": "OpenLDAP, OLDAP-2.8",
    "lzma": "0BSD",
    "openblasp": "OpenBLAS, BSD-3-Clause",
    "openjp2": "BSD-2-Clause",
    "png16": "libpng-2.0",
    "pq": "PostgreSQL",
    "quadmath": "LGPL-2.1-or-later",
    "sasl2": "Cyrus SASL, BSD-Attribution-HPND-disclaimer",
    "scipy_openblas64_": "OpenBLAS, BSD-3-Clause",
    "sharpyuv": "BSD-3-Clause",
    "ssl.so.1": "OpenSSL, OpenSSL",
    "ssl.so.3": "OpenSSL, Apache-2.0",
    "swresample": FFMPEG,
    "swscale": FFMPEG,
    "tiff": "libtiff",
    "vpx": "BSD-3-Clause",
    "webp": "BSD-3-Clause",
    "webpdemux": "BSD-3-Clause",
    "webpmux": "BSD-3-Clause",
    "xcb": "MIT",
    "zstd": "BSD-3-Clause",
}
"""Licenses of the libraries in wheels, by name, with the major version where the license changed. The project's name stands
before the license if the file name does not give it."""

HEAD = """# Third parties

Companion (Apache-2.0, see `LICENSE`) holds no code of others; it is installed beside the packages below, with which the container
(`deploy/Dockerfile`, x86_64) is made. `make locked` writes this list from the locked packages themselves. The text of each
license lies in the package's `*.dist-info` folder in `site-packages`; OpenCV's names what is compiled into it in
`cv2/LICENSE-3RD-PARTY.txt`. The base image, Debian with Python (PSF-2.0), has its own in `/usr/share/doc/*/copyright`.

Under the LGPL are `psycopg` and `psycopg-binary`, FFmpeg in the wheel of OpenCV (`libav*`, `libsw*`), and four small libraries
(`libcrypt`, `libkeyutils`, `libquadmath` twice). All are files of their own, which anybody may replace by another build; sources:
<https://github.com/psycopg/psycopg>, <https://github.com/opencv/opencv-python> (which builds FFmpeg from <https://ffmpeg.org>),
<https://gcc.gnu.org>, <https://github.com/besser82/libxcrypt>, <https://git.kernel.org/pub/scm/linux/kernel/git/dhowells/keyutils.git>.

| package | version | license | libraries in its wheel |
| --- | --- | --- | --- |
"""


class ThirdParty(NamedTuple):
    """One package, as its wheel describes it."""

    name: str
    version: str
    license: str
    libraries: tuple[str, ...]
    """Names of shared libraries, each with its license."""

    def row(self) -> str:
        """Returns its line of the list."""
        return f"| {self.name} | {self.version} | {self.license} | {'; '.join(self.libraries)} |"


def looked_into(wheel: Path) -> ThirdParty:
    """Reads a wheel's name, version, license and libraries.

    :raises SystemExit: a license is not known.
    """
    with ZipFile(wheel) as archive:
        names = archive.namelist()
        (metadata,) = (name for name in names if re.fullmatch(r"[^/]+\.dist-info/METADATA", name))
        said = message_from_bytes(archive.read(metadata))
    name = re.sub(r"[-_.]+", "-", said["Name"]).lower()
    plain = said["License"] if said["License"] in PLAIN else None
    license_ = UNSPOKEN.get(name) or said["License-Expression"] or plain
    if license_ is None:
        raise SystemExit(f"{name} does not say its license as SPDX does: read it and name it in UNSPOKEN.")
    files = sorted({Path(one).name for one in names if ".libs/" in one and not one.endswith("/")})
    return ThirdParty(name, said["Version"], license_, tuple(dict.fromkeys(map(_library, files))))


def _library(file: str) -> str:
    """Returns the name of a shared library and its license.

    :raises SystemExit: it is not known.
    """
    name = file.removeprefix("lib").partition(".so")[0].partition("-")[0].removesuffix("r0")
    major = re.search(r"\.so\.(\d+)", file)
    license_ = LIBRARIES.get(f"{name}.so.{major[1]}" if major else "") or LIBRARIES.get(name)
    if license_ is None:
        raise SystemExit(f"The license of {file} is not known: find it out and name it in LIBRARIES.")
    return f"lib{name.rstrip('_')}: {license_}"


def fetched(folder: Path) -> Iterable[Path]:
    """Downloads the locked wheels that the container installs."""
    platforms = [part for one in PLATFORMS for part in ("--platform", one)]
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"]
    chosen = ["--require-hashes", "--only-binary", ":all:", "--python-version", "3.11", "--implementation", "cp"]
    subprocess.run([*pip, *chosen, *platforms, "--dest", folder, "-r", LOCKED], check=True)
    return sorted(folder.glob("*.whl"))


def written(parties: Sequence[ThirdParty]) -> str:
    """Returns the text of the list."""
    return HEAD + "\n".join(one.row() for one in sorted(parties)) + "\n"


def main() -> None:
    """Write the list."""
    with TemporaryDirectory(prefix="companion-third-parties-") as folder:
        LISTED.write_text(written([looked_into(wheel) for wheel in fetched(Path(folder))]))


if __name__ == "__main__":
    main()
