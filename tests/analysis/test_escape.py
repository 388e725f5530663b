"""Whatever a text holds, it means only itself in LaTeX and in Markdown."""

import shutil
import subprocess
import unicodedata

import pandas as pd
import pytest

from analysis import escape, tables
from analysis.measures import Column

ASCII = "".join(map(chr, range(0x20, 0x7F)))
#: Every letter of Latin alphabets, signs that tables use, and some that no LaTeX font has.
LETTERS = "".join(map(chr, range(0xA0, 0x250))) + "–—…‘’“”×÷−±≤≥≠≈∞→←↑↓½²°ḅẹễ中文жαあ🎲\u0301" + "a\x07\x1b[31mb\tc"  # noqa: RUF001
NAMES = [
    "[*]",
    "*star",
    "-x",
    "--table",
    "?`!`",
    ",,<<>>''``",
    '"quoted"',
    "\\end{tabular}",
    "$x$ % no comment",
    "a^2_b",
]


def test_every_sign_of_ascii_that_means_something_is_escaped():
    plain = {letter for letter in ASCII if escape.latex(letter) == letter}
    assert set("#$%&\\^_{}~<>|\"`'-*[") & plain == set()
    assert {letter for letter in ASCII if letter.isalnum()} | set(" .,:;!?/()+=@") <= plain
    assert escape.latex("\\^~{}") == "\\textbackslash{}\\textasciicircum{}\\textasciitilde{}\\{\\}"


@pytest.mark.parametrize(
    ("letter", "command"),
    [
        ("é", "\\'{e}"),
        ("ö", '\\"{o}'),
        ("ç", "\\c{c}"),
        ("ř", "\\v{r}"),
        ("í", "\\'{\\i}"),
        ("į", "U+012F"),
        ("中", "U+4E2D"),
    ],
)
def test_letters_with_accents_and_letters_that_no_font_has(letter, command):
    assert escape.latex(letter) == command
    assert escape.latex(unicodedata.normalize("NFD", letter)) == command


def test_latex_is_ascii_on_one_line():
    found = escape.latex(LETTERS)
    assert found.isascii()
    assert found.isprintable()


def table(name, title, frame, remark):
    return tables.Table(name, title, frame, tuple(Column(each) for each in frame), True, remark=remark)


@pytest.mark.skipif(not shutil.which("pdflatex"), reason="needs pdflatex")
def test_any_table_compiles(tmp_path):
    every = [*NAMES, *ASCII, *LETTERS]
    heads = [*NAMES, ASCII, *(LETTERS[start : start + 40] for start in range(0, len(LETTERS), 40))]
    pieces = [
        table("t", head, pd.DataFrame({head: every[number :: len(heads)], "%": 0.5}), head).to_latex()
        for number, head in enumerate(heads)
    ]
    page = "\\documentclass{article}\\usepackage{booktabs}\\begin{document}\n" + "\\clearpage\n".join(pieces)
    (tmp_path / "page.tex").write_text(page + "\\end{document}\n")
    done = subprocess.run(
        ["pdflatex", "-halt-on-error", "-interaction=nonstopmode", "page.tex"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        errors="replace",
    )
    assert done.returncode == 0, done.stdout[-2000:]


def test_markdown_escapes_what_means_something():
    text = "a|b *c* _d_ `e` <f> [g](h) ~i~ $j$ &amp; \\ #k\nl"
    assert escape.markdown(text) == (
        "a\\|b \\*c\\* \\_d\\_ \\`e\\` \\<f\\> \\[g\\](h) \\~i\\~ \\$j\\$ \\&amp; \\\\ \\#k l"
    )
    lines = table("t", "T|_", pd.DataFrame({"a|b": [text]}), "Note *1*.").to_markdown().splitlines()
    assert lines[0] == "**T\\|\\_**"
    assert lines[2] == "| a\\|b |"
    assert lines[4] == f"| {escape.markdown(text)} |"
    assert lines[6] == "*Note \\*1\\*.*"
