"""When an accusation is made, and which readings never bear one while a question is open."""

from __future__ import annotations

from companion.core.layout import Detection, Layout
from companion.core.pieces import Card, Pyramid
from companion.referee.matching.accusing import UNTOLD, is_plain, shows_cards


def test_an_accusation_is_plain_if_all_legal_accounts_together_are_far_less_likely() -> None:
    assert is_plain(4.0, [6.5])
    assert not is_plain(4.0, [6.5, 6.5, 6.5])
    assert not is_plain(UNTOLD, [])


def test_cards_are_known_wherever_they_were_read() -> None:
    card = Detection.sure(Card("red", 7))
    pyramid = Detection.sure(Pyramid("red", "small"))
    assert shows_cards(Layout(heaps={"discard": (pyramid, card)}))
    assert shows_cards(Layout(cells={"discard": card}))
    assert not shows_cards(Layout(cells={"a": pyramid}, heaps={"b": (pyramid,)}))
