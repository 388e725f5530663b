"""Compiled kernels are kept, follow the sources that they can see, and damage means compiling again."""

import importlib.util
import os
import pickle
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

import numpy as np
import pytest

from sims.engine import jit, store
from sims.engine.errors import InputError

ROOT = Path(jit.__file__).resolve().parents[2]

SOURCE = """
from sims.engine.jit import helper, kernel

@helper
def twice(x):
    return 2 * x

@kernel
def inner(x):
    return twice(x) + 1

@kernel
def outer(x):
    return inner(x) * inner(x + 1)
"""


def outer(x):
    """What the kernels above work out, by hand: two odd numbers that follow each other."""
    return (2 * x + 1) * (2 * x + 3)


class Toy:
    """A package of three compiled functions in a folder of its own, and a cache of its own."""

    def __init__(self, folder, cache):
        self.path = folder / "toy" / "kernel.py"
        self.path.parent.mkdir()
        self.path.write_text(SOURCE)
        self.cache = cache

    def start(self):
        """The kernels as a new process finds them."""
        spec = importlib.util.spec_from_file_location("toy_kernel", self.path)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module

    def file(self, name):
        (found,) = self.cache.glob(f"kernels-toy-*/kernel.{name}-*")
        return found


@pytest.fixture
def toy(tmp_path, monkeypatch):
    monkeypatch.setenv("ODDSMITH_CACHE", str(tmp_path / "cache"))
    return Toy(tmp_path, tmp_path / "cache")


@pytest.fixture
def warm(toy):
    assert toy.start().outer(5) == outer(5)
    return toy


def counts(function):
    """How many of its compiled forms a function found in the cache, and how many it did not."""
    return sum(function.stats.cache_hits.values()), sum(function.stats.cache_misses.values())


def test_a_cold_start_compiles_and_a_warm_one_reads(toy):
    assert not jit.is_warm(toy.path.parent)
    first = toy.start()
    assert first.outer(5) == outer(5)
    assert (counts(first.outer), counts(first.inner)) == ((0, 1), (0, 1))
    assert jit.is_warm(toy.path.parent)
    second = toy.start()
    assert second.outer(5) == outer(5)
    assert counts(second.outer) == (1, 0)
    assert second.inner(8) == 17
    assert counts(second.inner) == (1, 0)


def test_an_empty_folder_is_cold(toy):
    # what a full disk leaves
    jit.kernel_folder(toy.path.parent).mkdir()
    assert not jit.is_warm(toy.path.parent)


def test_every_signature_is_kept(toy):
    for value in (3, 3.5, np.int32(7)):
        assert toy.start().outer(value) == outer(value)
    last = toy.start()
    for value in (3, 3.5, np.int32(7)):
        assert last.outer(value) == outer(value)
    assert counts(last.outer) == (3, 0)


def emptied(path):
    path.write_bytes(b"")


def cut(path):
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def flipped_in_the_machine_code(path):
    whole = bytearray(path.read_bytes())
    whole[whole.index(b"ELF") + 100 if b"ELF" in whole else len(whole) // 2] ^= 4
    path.write_bytes(whole)


def another_text(path):
    path.write_text("not a kernel\n" * 50)


def a_directory(path):
    path.unlink()
    path.mkdir()


def a_pipe(path):
    path.unlink()
    os.mkfifo(path)


def of_another_kernel(path):
    shutil.copy(next(other for other in path.parent.iterdir() if other != path), path)


def whole_but_no_pickle(path):
    store.write(path, b"no pickle")


def whole_but_no_dictionary(path):
    store.write(path, pickle.dumps(5))


def whole_but_no_compiled_form(path):
    kept = pickle.loads(store.read(path))
    store.write(path, jit.dumps({key: pickle.dumps((1, 2, 3)) for key in kept}))


def whole_but_of_a_module_that_is_gone(path):
    kept = pickle.loads(store.read(path))
    store.write(path, jit.dumps({key: b"cno_such_module\nname\n." for key in kept}))


DAMAGES = [
    emptied,
    cut,
    flipped_in_the_machine_code,
    another_text,
    a_directory,
    pytest.param(a_pipe, marks=pytest.mark.skipif(os.name == "nt", reason="no pipes in folders")),
    of_another_kernel,
    whole_but_no_pickle,
    whole_but_no_dictionary,
    whole_but_no_compiled_form,
    whole_but_of_a_module_that_is_gone,
]


@pytest.mark.parametrize("name", ["outer", "inner"])
@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_kernel_is_compiled_again_and_the_next_start_is_warm(damage, name, warm):
    damage(warm.file(name))
    damaged = warm.start()
    assert [damaged.outer(x) for x in range(3)] == [3, 15, 35]
    assert [damaged.inner(x) for x in range(3)] == [1, 3, 5]
    assert counts(getattr(damaged, name)) == (0, 1)
    after = warm.start()
    assert (after.outer(5), after.inner(8)) == (outer(5), 17)
    assert (counts(after.outer), counts(after.inner)) == ((1, 0), (1, 0))


class Evil:
    """A pickle that runs code of its maker."""

    def __init__(self, mark):
        self.mark = mark

    def __reduce__(self):
        return Path.touch, (self.mark,)


@pytest.mark.skipif(os.name == "nt", reason="owners as POSIX has them")
@pytest.mark.parametrize("sealed", [False, True])
def test_code_that_others_may_have_put_there_is_not_run(warm, tmp_path, sealed):
    path, evil = warm.file("outer"), pickle.dumps(Evil(tmp_path / "mark"))
    store.write(path, evil) if sealed else path.write_bytes(evil)
    if sealed:
        path.chmod(0o666)
    assert warm.start().outer(5) == outer(5)
    assert not (tmp_path / "mark").exists()
    # the trap itself works
    pickle.loads(evil)
    assert (tmp_path / "mark").exists()


@pytest.mark.skipif(os.name == "nt", reason="rights as POSIX has them")
def test_a_folder_that_others_may_write_is_refused_before_anything_is_read(warm, tmp_path, monkeypatch):
    (tmp_path / "shared").mkdir()
    (tmp_path / "shared").chmod(0o1777)
    monkeypatch.setenv("ODDSMITH_CACHE", str(tmp_path / "shared"))
    kernels = warm.start()  # a mere import fails for no folder
    with pytest.raises(InputError, match=r"ODDSMITH_CACHE: .* can be written by other users"):
        kernels.outer(5)


def test_without_a_folder_nothing_is_kept_and_everything_works(toy, monkeypatch):
    monkeypatch.setattr(store, "home", lambda: None)
    assert not jit.is_warm(toy.path.parent)
    for _ in range(2):
        kernels = toy.start()
        assert kernels.outer(5) == outer(5)
        assert counts(kernels.outer) == (0, 1)
    assert kernels.outer.stats.cache_path is None
    kernels.outer.recompile()
    assert kernels.outer(5) == outer(5)
    assert sorted(path.name for path in toy.path.parent.rglob("*")) == ["kernel.py"]


def test_a_cache_that_cannot_be_written_is_no_error(toy):
    toy.cache.write_text("a file")
    store._named.cache_clear()
    with pytest.raises(InputError, match="cannot be made"):
        toy.start().outer(5)
    toy.cache.unlink()
    toy.cache.mkdir(0o700)
    toy.start().outer(5)
    folder = next(toy.cache.glob("kernels-toy-*"))
    shutil.rmtree(toy.cache)
    toy.cache.write_text("a file")
    assert toy.start().outer(5) == outer(5)
    assert not folder.exists()


def run(code):
    """A process of its own, with the sources beside it."""
    return subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(code)],
        env=os.environ | {"PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path]), "PYTHONDONTWRITEBYTECODE": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_two_cold_starts_at_once_and_a_warm_one(toy):
    code = f"""
        import sys
        sys.path.insert(0, {str(toy.path.parent)!r})
        import kernel
        print(kernel.outer(5), kernel.outer(2.5), file=sys.stdout)
        print(sum(kernel.outer.stats.cache_hits.values()), file=sys.stderr)
    """
    for count in (2, 1):
        answers = [done.communicate(timeout=60) for done in [run(code) for _ in range(count)]]
        assert [out for out, _ in answers] == ["143 48.0\n"] * count
    assert answers[0][1] == "2\n"
    assert not list(toy.cache.rglob("*.unfinished"))


@pytest.mark.skipif(os.name == "nt", reason="limits as POSIX has them")
def test_a_full_disk_means_compiling_each_time(toy):
    code = f"""
        import resource, sys
        sys.path.insert(0, {str(toy.path.parent)!r})
        resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))
        import kernel
        print(kernel.outer(5))
    """
    assert run(code).communicate(timeout=60) == ("143\n", "")
    assert [path for path in toy.cache.rglob("*") if path.is_file()] == []


def test_an_edit_in_a_neighbour_means_compiling_again(tmp_path, monkeypatch):
    monkeypatch.setenv("ODDSMITH_CACHE", str(tmp_path / "cache"))
    for factor in (3, 4):
        folder = tmp_path / str(factor) / "pair"
        folder.mkdir(parents=True)
        (folder / "constants.py").write_text(f"FACTOR = {factor}\n")
        (folder / "kernel.py").write_text(
            "from constants import FACTOR\nfrom sims.engine.jit import kernel\n\n"
            "@kernel\ndef times(x):\n    return FACTOR * x\n"
        )
        code = f"""
            import sys
            sys.path.insert(0, {str(folder)!r})
            import kernel
            print(kernel.times(7))
        """
        assert run(code).communicate(timeout=60) == (f"{factor * 7}\n", "")
    assert len(list((tmp_path / "cache").glob("kernels-pair-*"))) == 2


def test_forgetting_and_compiling_again(warm):
    kernels = warm.start()
    kernels.outer(5)
    kernels.outer.recompile()
    assert kernels.outer(5) == outer(5)
    assert counts(kernels.outer) == (1, 1)
    assert kernels.outer.stats.cache_path == warm.file("outer")


def test_a_kernel_that_holds_on_to_variables_is_not_kept(tmp_path, monkeypatch):
    monkeypatch.setenv("ODDSMITH_CACHE", str(tmp_path))

    def adding(step):
        @jit.kernel
        def add(x):
            return x + step

        return add

    assert [adding(step)(10) for step in (1, 2)] == [11, 12]
    assert list(tmp_path.iterdir()) == []


def test_a_kernel_typed_at_a_prompt_is_not_kept(tmp_path, monkeypatch):
    monkeypatch.setenv("ODDSMITH_CACHE", str(tmp_path))
    for step in (1, 2):
        names = {"kernel": jit.kernel}
        exec(compile(f"@kernel\ndef add(x):\n    return x + {step}\n", "<prompt>", "exec"), names)
        assert names["add"](10) == 10 + step
    assert list(tmp_path.iterdir()) == []


def test_functions_of_the_same_name_have_files_of_their_own(tmp_path, monkeypatch):
    monkeypatch.setenv("ODDSMITH_CACHE", str(tmp_path))
    for _ in range(2):
        one = jit.kernel(lambda x: x + 1)
        two = jit.kernel(lambda x: x + 2)
        assert (one(5), two(5)) == (6, 7)
    names = [path.name for path in tmp_path.glob("*/*")]
    assert len(names) == 2
    assert all(name.isprintable() and not set(name) & set('<>:"/\\|?*') for name in names)


# -- the key ---------------------------------------------------------------------------------------------------


def key(folder):
    return jit.source_key.__wrapped__(folder)


def test_the_key_changes_with_any_source_beside_the_kernel(tmp_path):
    folder = tmp_path / "game"
    folder.mkdir()
    (folder / "kernel.py").write_text("a = 1\n")
    keys = [key(folder)]
    assert key(folder) == keys[0]
    (folder / "tables.py").write_text("b = 2\n")
    keys.append(key(folder))
    (folder / "tables.py").write_text("b = 3\n")
    keys.append(key(folder))
    (folder / "tables.py").rename(folder / "table.py")
    keys.append(key(folder))
    assert len(set(keys)) == 4
    assert all(len(one) == 16 for one in keys)


def test_the_key_does_not_depend_on_where_the_sources_lie(tmp_path):
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "kernel.py").write_text("a = 1\n")
    assert key(tmp_path / "one") == key(tmp_path / "two")


def test_the_key_changes_with_the_engine_numba_and_python(tmp_path, monkeypatch):
    (tmp_path / "engine").mkdir()
    monkeypatch.setattr(jit, "ENGINE", tmp_path / "engine")
    (tmp_path / "engine" / "dice.py").write_text("a = 1\n")
    keys = [key(tmp_path)]
    (tmp_path / "engine" / "dice.py").write_text("a = 2\n")
    keys.append(key(tmp_path))
    monkeypatch.setattr(jit.numba, "__version__", "0.0")
    keys.append(key(tmp_path))
    monkeypatch.setattr(jit.sys.implementation, "cache_tag", "cpython-0")
    keys.append(key(tmp_path))
    assert len(set(keys)) == 4


def test_what_only_has_the_name_of_a_source_is_passed_over(tmp_path):
    (tmp_path / "kernel.py").write_text("a = 1\n")
    before = key(tmp_path)
    (tmp_path / ".#kernel.py").symlink_to("somebody@somewhere.1234")  # an editor's lock
    (tmp_path / "folder.py").mkdir()
    assert key(tmp_path) == before


def test_mulhi_is_the_high_half_of_the_product():
    @jit.kernel
    def high(a, b):
        return jit.mulhi(a, b)

    for a, b in [(2**64 - 1, 2**64 - 1), (2**63, 6**7), (12345678901234567890, 9876543210987654321), (0, 5)]:
        assert int(high(np.uint64(a), np.uint64(b))) % 2**64 == a * b >> 64
