"""Results that are kept: read again, or worked out again whatever is wrong with them, and replaced."""

import io
import os

import numpy as np
import pytest

from sims.engine import kept, store
from sims.engine.kept import Expected, result

EXPECTED = {"chances": Expected((2, None), high=1), "means": Expected((3,))}
RIGHT = {"chances": np.array([[0.25, 0.75, 0.0], [1.0, 0.0, 0.0]]), "means": np.array([0.0, 7.5, 1e300])}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setattr(kept, "home", lambda: tmp_path)
    return tmp_path / "exact"


class Work:
    """Finds the right answer, and counts how often it is asked."""

    def __init__(self):
        self.asked = 0

    def __call__(self):
        self.asked += 1
        return {name: array.copy() for name, array in RIGHT.items()}


def same(found):
    return list(found) == list(RIGHT) and all(np.array_equal(found[name], RIGHT[name]) for name in RIGHT)


def test_what_was_found_is_not_worked_out_again(folder):
    work = Work()
    assert all(same(result("a question", EXPECTED, work)) for _ in range(3))
    assert work.asked == 1
    assert same(result("another question", EXPECTED, work))
    assert work.asked == 2
    assert len(list(folder.iterdir())) == 2


def packed(arrays):
    file = io.BytesIO()
    np.savez(file, **arrays)
    return file.getvalue()


def changed(**arrays):
    return packed(RIGHT | arrays)


ROWS = RIGHT["chances"]
WHOLE_BUT_WRONG = {
    "no archive": b"no archive",
    "empty": b"",
    "one array": b"\x93NUMPY" + bytes(50),
    "cut": packed(RIGHT)[:-30],
    "no arrays": packed({}),
    "a name is missing": packed({"means": RIGHT["means"]}),
    "a name too many": changed(more=np.zeros(3)),
    "another name": packed({"chances": ROWS, "mean": RIGHT["means"]}),
    "another axis": changed(chances=ROWS[0]),
    "an axis too many": changed(chances=ROWS[None]),
    "too few rows": changed(chances=ROWS[:1]),
    "too many rows": changed(chances=np.vstack([ROWS, ROWS])),
    "nothing in a row": changed(chances=np.zeros((2, 0))),
    "no rows": changed(means=np.zeros(0)),
    "whole numbers": changed(means=np.array([1, 2, 3])),
    "half as exact": changed(means=np.zeros(3, np.float32)),
    "texts": changed(means=np.array(["1", "2", "3"])),
    "not a number": changed(means=np.array([1.0, np.nan, 1.0])),
    "endless": changed(means=np.array([1.0, np.inf, 1.0])),
    "negative": changed(chances=ROWS - 1e-12),
    "over one": changed(chances=ROWS * (1 + 1e-8)),
}


@pytest.mark.parametrize("wrong", WHOLE_BUT_WRONG.values(), ids=WHOLE_BUT_WRONG)
def test_what_cannot_be_the_answer_is_worked_out_again_and_replaced(folder, wrong):
    work = Work()
    result("question", EXPECTED, work)
    (file,) = folder.iterdir()
    store.write(file, wrong)
    assert same(result("question", EXPECTED, work))
    assert work.asked == 2
    assert same(result("question", EXPECTED, work))
    assert work.asked == 2
    assert list(folder.iterdir()) == [file]


def test_an_answer_of_the_right_kind_is_taken(folder):
    # the trap of the test above can be passed: what is kept is what is told
    result("question", EXPECTED, Work())
    (file,) = folder.iterdir()
    store.write(file, changed(chances=np.full((2, 1), 1 + 1e-10), means=np.zeros(3)))
    found = result("question", EXPECTED, Work())
    assert found["chances"].shape == (2, 1)
    assert found["means"].tolist() == [0, 0, 0]


def cut(file, _other):
    file.write_bytes(file.read_bytes()[:-1])


def flipped(file, _other):
    whole = bytearray(file.read_bytes())
    whole[len(whole) // 2] ^= 1
    file.write_bytes(whole)


def a_plain_archive(file, _other):
    np.savez(file, **RIGHT)


def of_another_question(file, other):
    file.write_bytes(other.read_bytes())


def a_directory(file, _other):
    file.unlink()
    file.mkdir()


@pytest.mark.parametrize("damage", [cut, flipped, a_plain_archive, of_another_question, a_directory])
def test_a_damaged_file_is_worked_out_again_and_replaced(folder, damage):
    work = Work()
    result("question", EXPECTED, work)
    (file,) = folder.iterdir()
    content = file.read_bytes()
    result("other", EXPECTED, lambda: {"chances": np.zeros((2, 1)), "means": np.zeros(3)})
    (other,) = set(folder.iterdir()) - {file}
    damage(file, other)
    assert same(result("question", EXPECTED, work))
    assert work.asked == 2
    assert file.read_bytes() == content


def test_without_a_folder_it_is_worked_out_each_time(monkeypatch):
    monkeypatch.setattr(kept, "home", lambda: None)
    work = Work()
    assert all(same(result("question", EXPECTED, work)) for _ in range(2))
    assert work.asked == 2


def test_a_cache_that_cannot_be_written_is_no_error(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setattr(kept, "home", lambda: tmp_path / "file")
    assert same(result("question", EXPECTED, Work()))


def test_an_interrupt_leaves_no_file(folder):
    def stop():
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        result("question", EXPECTED, stop)
    assert not folder.exists()


@pytest.mark.skipif(os.name == "nt", reason="rights as POSIX has them")
def test_an_answer_that_others_may_have_written_is_not_taken(folder):
    work = Work()
    result("question", EXPECTED, work)
    (file,) = folder.iterdir()
    store.write(file, changed(means=np.zeros(3)))
    file.chmod(0o666)
    assert same(result("question", EXPECTED, work))
    assert work.asked == 2
