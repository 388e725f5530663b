"""The kernel cache follows the sources that a kernel can see."""

import shutil
import tempfile

import pytest

from sims.engine import jit
from sims.engine.errors import InputError


def test_the_key_changes_with_any_source_beside_the_kernel(tmp_path):
    folder = tmp_path / "game"
    folder.mkdir()
    (folder / "kernel.py").write_text("a = 1\n")
    before = jit.source_key.__wrapped__(folder)
    assert before == jit.source_key.__wrapped__(folder)
    (folder / "tables.py").write_text("b = 2\n")
    assert jit.source_key.__wrapped__(folder) != before


def test_the_key_does_not_depend_on_where_the_sources_lie(tmp_path):
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "kernel.py").write_text("a = 1\n")
    assert jit.source_key.__wrapped__(tmp_path / "one") == jit.source_key.__wrapped__(tmp_path / "two")


def test_a_users_own_functions_keep_their_cache_folder():
    from numba.core import config

    before = config.CACHE_DIR
    jit.kernel(lambda x: x)
    assert before == config.CACHE_DIR


def test_mulhi_is_the_high_half_of_the_product():
    import numpy as np

    @jit.kernel
    def high(a, b):
        return jit.mulhi(a, b)

    for a, b in [(2**64 - 1, 2**64 - 1), (2**63, 6**7), (12345678901234567890, 9876543210987654321), (0, 5)]:
        assert int(high(np.uint64(a), np.uint64(b))) % 2**64 == a * b >> 64


def test_cache_home_follows_the_environment(monkeypatch, tmp_path):
    monkeypatch.setenv("ODDSMITH_CACHE", str(tmp_path))
    assert jit.cache_home() == tmp_path
    shutil.rmtree(tmp_path)


def test_a_named_cache_that_cannot_be_written_is_one_clear_line(monkeypatch, tmp_path):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("ODDSMITH_CACHE", str(tmp_path / "file" / "folder"))
    with pytest.raises(InputError, match=r"ODDSMITH_CACHE: .* cannot be written"):
        jit.cache_home()


def test_a_home_that_cannot_be_written_falls_back_to_a_temporary_folder(monkeypatch, tmp_path):
    (tmp_path / "file").write_text("")
    monkeypatch.delenv("ODDSMITH_CACHE", raising=False)
    monkeypatch.setattr(jit, "user_cache_dir", lambda name: str(tmp_path / "file" / name))
    assert jit.cache_home().is_relative_to(tempfile.gettempdir())
    assert not jit.cache_home().is_relative_to(tmp_path / "file")
