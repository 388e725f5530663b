"""Texts as other languages want them: whatever they hold, they mean only themselves there."""

import re
import unicodedata

from sims.engine.text import printable

_LATEX = {
    "\\": "\\textbackslash{}",
    "{": "\\{",
    "}": "\\}",
    "$": "\\$",
    "%": "\\%",
    "&": "\\&",
    "#": "\\#",
    "_": "\\_",
    "^": "\\textasciicircum{}",
    "~": "\\textasciitilde{}",
    "<": "\\textless{}",
    ">": "\\textgreater{}",
    "|": "\\textbar{}",
    # as they stand they would be other quotation marks, and in some languages commands
    '"': "{\\char34}",
    "`": "{\\char96}",
    "'": "{\\char39}",
    # two of them would be a dash, and after the end of a row these three mean something else
    "-": "{-}",
    "*": "{*}",
    "[": "{[}",
    # no-break space, dashes, quotation marks, dots
    "\u00a0": "~",
    "\u2010": "{-}",
    "\u2011": "{-}",
    "\u2012": "{--}",
    "\u2013": "{--}",
    "\u2014": "{---}",
    "\u2018": "{\\char96}",
    "\u2019": "{\\char39}",
    "\u201c": "\\textquotedblleft{}",
    "\u201d": "\\textquotedblright{}",
    "\u2026": "\\ldots{}",
    # letters that are no letter with an accent
    "ß": "\\ss{}",
    "æ": "\\ae{}",
    "Æ": "\\AE{}",
    "œ": "\\oe{}",
    "Œ": "\\OE{}",
    "ø": "\\o{}",
    "Ø": "\\O{}",
    "ł": "\\l{}",
    "Ł": "\\L{}",
    "ı": "\\i{}",  # noqa: RUF001
    "§": "\\S{}",
    "¶": "\\P{}",
    "©": "\\copyright{}",
    "¡": "{!`}",
    "¿": "{?`}",
}
_MATHS = {
    "×": "\\times",  # noqa: RUF001
    "÷": "\\div",
    "·": "\\cdot",
    "±": "\\pm",
    "−": "-",  # noqa: RUF001
    "≤": "\\leq",
    "≥": "\\geq",
    "≠": "\\neq",
    "≈": "\\approx",
    "∞": "\\infty",
    "→": "\\rightarrow",
    "←": "\\leftarrow",
    "↑": "\\uparrow",
    "↓": "\\downarrow",
    "√": "\\surd",
    "µ": "\\mu",
    "°": "^{\\circ}",
    "¹": "^{1}",
    "²": "^{2}",
    "³": "^{3}",
    "½": "\\frac{1}{2}",
    "¼": "\\frac{1}{4}",
    "¾": "\\frac{3}{4}",
    "♠": "\\spadesuit",
    "♥": "\\heartsuit",
    "♦": "\\diamondsuit",
    "♣": "\\clubsuit",
}
_LATEX |= {letter: f"${command}$" for letter, command in _MATHS.items()}
#: Combining marks, as LaTeX puts them on a letter.
_ACCENTS = {
    "\u0300": "\\`",
    "\u0301": "\\'",
    "\u0302": "\\^",
    "\u0303": "\\~",
    "\u0304": "\\=",
    "\u0306": "\\u",
    "\u0307": "\\.",
    "\u0308": '\\"',
    "\u030a": "\\r",
    "\u030b": "\\H",
    "\u030c": "\\v",
    "\u0323": "\\d",
    "\u0327": "\\c",
    "\u0331": "\\b",
}


def latex(text: str) -> str:
    r"""Text for LaTeX, with any engine and no package: a letter that has no command there is told by its number.

    Examples
    --------
    >>> print(latex("5 % of A_1^2 × é – 中"))
    5 \% of A\_1\textasciicircum{}2 $\times$ \'{e} {--} U+4E2D
    """
    return "".join(map(_latex_letter, unicodedata.normalize("NFC", printable(text))))


def _latex_letter(letter: str) -> str:
    if letter in _LATEX:
        return _LATEX[letter]
    if " " <= letter <= "~":
        return letter
    if letter.isspace():
        return " "
    parts = unicodedata.normalize("NFD", letter)
    base, marks = parts[0], parts[1:]
    if base.isascii() and base.isalpha() and marks and all(mark in _ACCENTS for mark in marks):
        shown = f"\\{base}" if base in "ij" and marks[0] in _ABOVE else base
        for mark in marks:
            shown = f"{_ACCENTS[mark]}{{{shown}}}"
        return shown
    return f"U+{ord(letter):04X}"


#: Marks that take the place of the dot of i and j.
_ABOVE = set(_ACCENTS) - {"\u0323", "\u0327", "\u0331"}


def markdown(text: str) -> str:
    r"""Text for Markdown on one line, in a cell of a table too.

    Examples
    --------
    >>> print(markdown("a|b *c* <d>"))
    a\|b \*c\* \<d\>
    """
    return re.sub(r"([\\`*_{}\[\]<>|~$&#!^])", r"\\\1", " ".join(printable(text).split()))
