"""Texts that users give: how what cannot be seen in them is found and shown. Texts for users: counts and legends."""

import textwrap
from collections.abc import Mapping

#: Letters in a line of a legend.
LEGEND_WIDTH = 120
#: Line breaks and tabs: fine inside a map of several lines, a space wherever a text is shown on one line.
BLANKS = "\t\n\v\f\r\x85\u2028\u2029"
#: Ranges of characters that steer a terminal, turn the direction of writing, or that no file of ours can hold:
#: controls (C0, DEL, C1), direction marks, halves of surrogate pairs (bytes that are no UTF-8), non-characters.
_UNSEEN = (
    (0x00, 0x1F),
    (0x7F, 0x9F),
    (0x61C, 0x61C),
    (0x200E, 0x200F),
    (0x2028, 0x202E),
    (0x2066, 0x2069),
    (0xD800, 0xDFFF),
    (0xFFFE, 0xFFFF),
)
#: Bytes of file names that are no UTF-8 come from the system as these characters.
_BYTES = range(0xDC80, 0xDD00)


def _shown(code: int) -> str:
    """What stands for a character that cannot be shown."""
    if chr(code) in BLANKS:
        return " "
    if code in _BYTES:
        code -= 0xDC00
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"


_SHOWN = {code: _shown(code) for low, high in _UNSEEN for code in range(low, high + 1)}


def printable(text: str) -> str:
    r"""The text on one line, safe for a terminal, a page and a picture: what cannot be seen is written out.

    Examples
    --------
    >>> print(printable("red \x1b[31m" + "\n" + "rows"))
    red \x1b[31m rows
    """
    return text.translate(_SHOWN)


def unseen(text: str, allowed: str = "") -> str:
    r"""The first character that cannot be seen and is not ``allowed``, written out; empty if there is none.

    Examples
    --------
    >>> print(unseen("left\u202eright"))
    \u202e
    """
    found = next((letter for letter in text if ord(letter) in _SHOWN and letter not in allowed), "")
    return ascii(found)[1:-1]


def counted(number: int, noun: str, several: str = "") -> str:
    """A number with its noun, in the plural that it asks for.

    Examples
    --------
    >>> counted(1, "round"), counted(2000, "round"), counted(3, "die", "dice")
    ('1 round', '2,000 rounds', '3 dice')
    """
    return f"{number:,} {noun if number == 1 else several or noun + 's'}"


def legend(signs: Mapping[str, str]) -> list[str]:
    """The lines beside a drawing that say what each of its signs means; none for none.

    Examples
    --------
    >>> legend({"@": "the raccoon", "E": "an entrance"})
    ['@ the raccoon; E an entrance']
    """
    # no line ends between a sign and its meaning
    told = [f"{sign} {meaning}".replace(" ", "\0") for sign, meaning in signs.items()]
    return [line.replace("\0", " ") for line in textwrap.wrap("; ".join(told), LEGEND_WIDTH)]
