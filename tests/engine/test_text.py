"""Texts that users give, made safe for a terminal, a page and a picture."""

import unicodedata

import pytest

from sims.engine.text import printable, unseen


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("", ""),
        ("plain äöü 漢字 😀 ½", "plain äöü 漢字 😀 ½"),
        ("a space\xa0and ~", "a space\xa0and ~"),
        ("red \x1b[31m", r"red \x1b[31m"),
        ("nul\0", r"nul\x00"),
        ("two\nlines\tand\r\nmore", "two lines and  more"),
        ("\v\f\x85\u2028\u2029", "     "),
        ("\x7f\x80\x9f", r"\x7f\x80\x9f"),
        ("\u202eleft\u2069\u200f", r"\u202eleft\u2069\u200f"),
        ("bytes \udcff\udc80", r"bytes \xff\x80"),
        ("half \ud800\udfff", r"half \ud800\udfff"),
        ("no character \ufffe\uffff", r"no character \ufffe\uffff"),
        ("\u061c\u200d", "\\u061c\u200d"),
    ],
)
def test_what_cannot_be_seen_is_written_out(text, shown):
    assert printable(text) == shown


def test_every_control_surrogate_and_turn_of_direction_is_found_and_nothing_else():
    turns = {*"\u061c\u200e\u200f", *map(chr, range(0x202A, 0x202F)), *map(chr, range(0x2066, 0x206A))}
    breaks = {"\u2028", "\u2029"}
    for code in range(0x11000):
        letter = chr(code)
        hidden = unicodedata.category(letter) in ("Cc", "Cs") or letter in turns | breaks | {"\ufffe", "\uffff"}
        assert bool(unseen(letter)) == hidden, hex(code)
        assert (printable(letter) != letter) == hidden, hex(code)


def test_the_first_that_is_not_allowed_is_told():
    assert unseen("a\nb\tc\x1b\x00", "\n\t") == r"\x1b"
    assert unseen("a\nb\tc\x1b\x00") == r"\n"
    assert unseen("a\nb", "\n") == ""
    assert unseen("plain") == ""
