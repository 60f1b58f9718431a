"""User and password: the examples of RFC 7616 and RFC 2069, and what cameras make of them."""

from __future__ import annotations

import time

import pytest

from vision.sources.web_camera import Login, parsed

NONCE = "7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v"
OPAQUE = "FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"
CNONCE = "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ"
BOTH = [
    f'Digest realm="http-auth@example.org", qop="auth, auth-int", algorithm=SHA-256, nonce="{NONCE}", opaque="{OPAQUE}"',
    f'Digest realm="http-auth@example.org", qop="auth, auth-int", algorithm=MD5, nonce="{NONCE}", opaque="{OPAQUE}"',
]


def mufasa(password: str = "Circle of Life") -> Login:
    return Login("Mufasa", password, nonce=lambda: CNONCE)


def fields(header: str | None) -> dict[str, str]:
    assert header is not None and header.startswith("Digest ")
    ((_, found),) = parsed([header])
    return found


@pytest.mark.parametrize(
    ("challenges", "response"),
    [
        (BOTH, "753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1"),
        (BOTH[::-1], "753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1"),
        ([", ".join(BOTH)], "753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1"),
        (BOTH[1:], "8ca523f5e9506fed4657c9700eebdbec"),
    ],
    ids=["both", "weaker first", "in one header", "MD5"],
)
def test_rfc_7616_3_9_1_both_algorithms(challenges: list[str], response: str) -> None:
    login = mufasa()
    assert login.header("GET", "/dir/index.html") is None, "nothing is sent before the camera has asked"
    assert login.take(challenges)
    answer = fields(login.header("GET", "/dir/index.html"))
    assert answer["response"] == response
    assert (answer["qop"], answer["nc"], answer["opaque"], answer["cnonce"]) == ("auth", "00000001", OPAQUE, CNONCE)
    assert fields(login.header("GET", "/dir/index.html"))["nc"] == "00000002"


def test_rfc_2069_a_camera_without_qop() -> None:
    login = Login("Mufasa", "CircleOfLife")
    nonce = "dcd98b7102dd2f0e8b11d0f600bfb0c093"
    assert login.take(
        [f'Digest realm="testrealm@host.com", nonce="{nonce}", opaque="5ccc069c403ebaf9f0171e9517f40e41"']
    )
    answer = fields(login.header("GET", "/dir/index.html"))
    assert answer["response"] == "1949323746fe6a43ef61f9606e7febea" and "nc" not in answer and "algorithm" not in answer


def test_a_session_that_is_hashed_and_a_body_that_is_checked() -> None:
    login = mufasa()
    assert login.take([f'Digest realm="r", qop="auth-int", algorithm=MD5-sess, nonce="{NONCE}"'])
    answer = fields(login.header("GET", "/x?a=b"))
    assert (answer["qop"], answer["algorithm"], answer["uri"]) == ("auth-int", "MD5-sess", "/x?a=b")


def test_basic_where_the_camera_knows_no_other_and_once() -> None:
    login = Login("ada", "p@ss:w ö")
    assert login.take(['Basic realm="cam"'])
    assert login.header("GET", "/") == "Basic YWRhOnBAc3M6dyDDtg=="
    assert not login.take(['Basic realm="cam"']), "it is the wrong password"
    assert Login("ada", "x").take([]), "some cameras do not say what they want"


def test_a_password_is_not_told_where_digest_is_known() -> None:
    login = mufasa()
    assert login.take(['Basic realm="cam"', *BOTH])
    assert (login.header("GET", "/") or "").startswith("Digest ")


@pytest.mark.parametrize(
    "challenge",
    [
        "", "Digest", "Digest realm=x", 'Digest realm="x", nonce="y", algorithm=SHA-512-256', "Negotiate",
        'Digest nonce="y", qop="none"', 'Digest nonce="' + "x" * 100_000, "=,=,=", 'Bearer realm="x"',
    ],
)  # fmt: skip
def test_what_cannot_be_answered_is_not(challenge: str) -> None:
    login = mufasa()
    assert not login.take([challenge]) and login.header("GET", "/") is None


def test_a_long_challenge_is_read_at_once() -> None:
    """A server that sends one may not keep a processor busy; before, 8 KB took a second."""
    before_s = time.process_time()
    mufasa().take(['Digest nonce="' + "x" * 100_000])
    assert time.process_time() - before_s < 0.3


def test_a_stale_number_is_answered_anew_and_a_wrong_password_is_not() -> None:
    login = mufasa()
    first = f'Digest realm="r", qop="auth", nonce="{NONCE}"'
    assert login.take([first])
    assert not login.take([first]), "the same number again: user or password is wrong"
    assert login.take([f"{first}, stale=true"])
    assert login.take(['Digest realm="r", qop="auth", nonce="another"']), "many cameras give out a fresh one each time"


def test_quotes_in_a_user_break_out_of_no_field() -> None:
    login = Login('a"\\, nonce="x', "p")
    assert login.take([f'Digest realm="r\\"s", qop="auth", nonce="{NONCE}"'])
    answer = fields(login.header("GET", "/"))
    assert (answer["username"], answer["realm"], answer["nonce"]) == ('a"\\, nonce="x', 'r"s', NONCE)
