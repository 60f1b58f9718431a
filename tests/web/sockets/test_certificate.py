"""Certificates: one of the server's own is made once and kept; a given one is checked."""

from __future__ import annotations

import ipaddress
import stat
from pathlib import Path

import pytest
from cryptography import x509

from web.sockets import certificate as module
from web.sockets.certificate import NoCertificate, given_certificate, own_certificate


def test_an_own_certificate_is_made_once_for_its_owner_alone(tmp_path: Path) -> None:
    kept = tmp_path / "journal.sqlite.tls"
    first = own_certificate(kept, "192.168.1.7")
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    assert own_certificate(kept, "192.168.1.8") == first
    made = x509.load_pem_x509_certificate(kept.read_bytes())
    names = made.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    assert ipaddress.ip_address("192.168.1.7") in names.get_values_for_type(x509.IPAddress)
    assert (made.not_valid_after_utc - made.not_valid_before_utc).days <= 825


@pytest.mark.parametrize(
    "spoiled", [b"", b"-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n", b"\0" * 64]
)
def test_a_spoiled_one_is_made_anew(tmp_path: Path, spoiled: bytes) -> None:
    kept = tmp_path / "own.tls"
    kept.write_bytes(spoiled)
    assert own_certificate(kept, "10.0.0.2").fingerprint
    assert given_certificate(kept, kept).fingerprint


def test_one_that_ends_soon_is_made_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = tmp_path / "own.tls"
    monkeypatch.setattr(module, "DAYS", 20)
    soon = own_certificate(kept, "10.0.0.2").fingerprint
    monkeypatch.undo()
    assert own_certificate(kept, "10.0.0.2").fingerprint != soon


def test_given_files_must_be_a_pair(tmp_path: Path) -> None:
    one, other, text = tmp_path / "one.pem", tmp_path / "other.pem", tmp_path / "text.pem"
    own_certificate(one, "10.0.0.2")
    own_certificate(other, "10.0.0.2")
    text.write_text("hello")
    with pytest.raises(NoCertificate, match="not a certificate with its"):
        given_certificate(one, other)
    with pytest.raises(NoCertificate, match="PEM"):
        given_certificate(text, one)
    with pytest.raises(NoCertificate, match="cannot be read"):
        given_certificate(tmp_path / "missing.pem", one)


def test_one_that_is_out_of_date_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    old = tmp_path / "old.pem"
    monkeypatch.setattr(module, "DAYS", 0)
    monkeypatch.setattr(module, "_RENEW_DAYS", -9)
    own_certificate(old, "10.0.0.2")
    with pytest.raises(NoCertificate, match="Renew"):
        given_certificate(old, old)


def test_a_folder_that_takes_nothing_is_said(tmp_path: Path) -> None:
    with pytest.raises(NoCertificate, match="--tls-cert"):
        own_certificate(tmp_path / "missing" / "own.tls", "10.0.0.2")


def test_without_the_packages_the_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "find_spec", lambda name: None)
    with pytest.raises(NoCertificate, match=r"tabletop-companion\[https\]"):
        own_certificate(tmp_path / "own.tls", "10.0.0.2")
