"""The cache folder and its files: read only if whole and ours, and never a reason to fail."""

import os
import shutil
import socket
import stat
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from sims.engine import store
from sims.engine.errors import InputError

pytestmark = pytest.mark.skipif(os.name == "nt", reason="links, owners and rights as POSIX has them")

CONTENT = bytes(range(256)) * 20


@pytest.fixture(autouse=True)
def forgetful(monkeypatch):
    """Folders are looked at once per process; every test looks again."""
    monkeypatch.delenv("ODDSMITH_CACHE", raising=False)
    for name in ("_named", "_found"):
        monkeypatch.setattr(store, name, getattr(store, name).__wrapped__)


@pytest.fixture
def usual(tmp_path, monkeypatch):
    """The user's cache folder, which does not exist yet."""
    folder = tmp_path / "home" / "cache" / "oddsmith"
    monkeypatch.setattr(store, "user_cache_dir", lambda name: str(folder))
    return folder


@pytest.fixture
def temporary(tmp_path, monkeypatch):
    """The system's temporary folder: everybody may write, nobody may rename what is another's."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    folder.chmod(0o1777)
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


@pytest.fixture
def file(tmp_path):
    """A file that was kept, in a folder of the cache."""
    path = tmp_path / "folder" / "file"
    store.write(path, CONTENT)
    return path


def give_away(path, monkeypatch):
    """Make a path belong to another user; who may not do that becomes another user."""
    if os.geteuid() == 0:
        os.chown(path, 12345, -1, follow_symlinks=False)
    else:
        monkeypatch.setattr(store, "_user", lambda: os.geteuid() + 1)


def rights(path):
    return stat.S_IMODE(path.stat().st_mode)


# -- where the cache lies --------------------------------------------------------------------------------------


def test_the_environment_names_the_folder(monkeypatch, tmp_path):
    monkeypatch.setenv("ODDSMITH_CACHE", str(tmp_path / "new" / "cache"))
    assert store.home() == tmp_path / "new" / "cache"
    assert rights(tmp_path / "new" / "cache") == 0o700


def test_a_named_folder_that_cannot_be_made_is_one_clear_line(monkeypatch, tmp_path):
    (tmp_path / "file").write_text("")
    for named in (tmp_path / "file", tmp_path / "file" / "folder", tmp_path / ("long" * 100)):
        monkeypatch.setenv("ODDSMITH_CACHE", str(named))
        with pytest.raises(InputError, match=r"ODDSMITH_CACHE: .* cannot be made \(.+\); name another folder"):
            store.home()


@pytest.mark.parametrize("mode", [0o777, 0o1777, 0o775, 0o722])
def test_a_named_folder_that_others_may_write_is_refused(monkeypatch, tmp_path, mode):
    tmp_path.chmod(mode)
    monkeypatch.setenv("ODDSMITH_CACHE", str(tmp_path))
    with pytest.raises(InputError, match=r"ODDSMITH_CACHE: .* can be written by other users, who could put code there"):
        store.home()


def test_a_named_folder_of_another_user_is_refused(monkeypatch, tmp_path):
    give_away(tmp_path, monkeypatch)
    monkeypatch.setenv("ODDSMITH_CACHE", str(tmp_path))
    with pytest.raises(InputError, match=r"ODDSMITH_CACHE: .* belongs to another user, who could put code there"):
        store.home()


def test_a_named_folder_that_cannot_be_written_is_used_for_reading_and_says_so(monkeypatch, tmp_path, caplog):
    monkeypatch.setattr(os, "access", lambda path, how: False)
    monkeypatch.setenv("ODDSMITH_CACHE", str(tmp_path))
    assert store.home() == tmp_path
    assert caplog.messages == [f"oddsmith: ODDSMITH_CACHE: {tmp_path} cannot be written; nothing new is kept there"]


@pytest.mark.parametrize("mode", [0o700, 0o755, 0o500])
def test_what_others_may_read_is_safe(monkeypatch, tmp_path, mode, caplog):
    tmp_path.chmod(mode)
    monkeypatch.setenv("ODDSMITH_CACHE", str(tmp_path))
    assert store.home() == tmp_path


def test_the_users_own_folder_is_made_for_them_alone(usual, temporary):
    assert store.home() == usual
    assert rights(usual) == 0o700
    assert list(temporary.iterdir()) == []


def unwritable_home(folder, _monkeypatch):
    folder.parent.parent.write_text("no folder")


def read_only_home(_folder, monkeypatch):
    monkeypatch.setattr(os, "access", lambda path, how: False)


def no_home(_folder, monkeypatch):
    monkeypatch.setattr(store, "user_cache_dir", lambda name: os.path.expanduser(f"~nobody-of-this-name/{name}"))


def no_home_of_new_platformdirs(_folder, monkeypatch):
    def lost(name):
        raise RuntimeError("could not determine the home directory")

    monkeypatch.setattr(store, "user_cache_dir", lost)


def full_disk(folder, monkeypatch):
    make = Path.mkdir

    def fail(path, *arguments, **options):
        if path.is_relative_to(folder.parent):
            raise OSError(28, "No space left on device")
        make(path, *arguments, **options)

    monkeypatch.setattr(Path, "mkdir", fail)


HOMELESS = [unwritable_home, read_only_home, no_home, no_home_of_new_platformdirs, full_disk]


@pytest.mark.parametrize("homeless", HOMELESS)
def test_without_a_home_a_private_folder_serves(homeless, usual, temporary, monkeypatch, tmp_path, caplog):
    monkeypatch.chdir(tmp_path)
    homeless(usual, monkeypatch)
    found = store.home()
    assert found == temporary / f"oddsmith-{os.geteuid()}"
    assert rights(found) == 0o700
    assert store.home() == found
    assert caplog.messages == []
    assert not list(tmp_path.glob("~*"))


@pytest.mark.parametrize("homeless", HOMELESS)
def test_without_a_temporary_folder_either_nothing_is_kept(homeless, usual, monkeypatch):
    def lost():
        raise FileNotFoundError(2, "No usable temporary directory found")

    homeless(usual, monkeypatch)
    monkeypatch.setattr(tempfile, "gettempdir", lost)
    assert store.home() is None


def another_users(private, _elsewhere, monkeypatch):
    private.mkdir(0o700)
    give_away(private, monkeypatch)
    if os.geteuid():
        # the name follows the user
        private.rename(private.with_name(f"oddsmith-{os.geteuid() + 1}"))


def open_to_others(private, _elsewhere, _monkeypatch):
    private.mkdir()
    private.chmod(0o777)


def open_to_the_group(private, _elsewhere, _monkeypatch):
    private.mkdir()
    private.chmod(0o770)


def a_link(private, elsewhere, _monkeypatch):
    elsewhere.mkdir(0o700)
    private.symlink_to(elsewhere)


def a_link_to_nowhere(private, elsewhere, _monkeypatch):
    private.symlink_to(elsewhere)


def a_file(private, _elsewhere, _monkeypatch):
    private.write_text("")


@pytest.mark.parametrize("trap", [another_users, open_to_others, open_to_the_group, a_link, a_link_to_nowhere, a_file])
def test_a_prepared_folder_of_the_predictable_name_is_not_used(trap, usual, temporary, monkeypatch, tmp_path):
    unwritable_home(usual, monkeypatch)
    trap(temporary / f"oddsmith-{os.geteuid()}", tmp_path / "elsewhere", monkeypatch)
    assert store.home() is None


def test_the_fallback_is_ours_even_if_root_could_be_trusted(usual, temporary, monkeypatch):
    # root may write into every folder of ours; but a folder of root's is none that we can write
    unwritable_home(usual, monkeypatch)
    monkeypatch.setattr(store, "_user", lambda: os.geteuid() + 7)
    (temporary / f"oddsmith-{os.geteuid() + 7}").mkdir(0o700)
    assert store.home() is None


@pytest.mark.parametrize("mode", [0o777, 0o770])
def test_a_users_own_folder_that_others_may_write_is_left_in_one_line(usual, temporary, caplog, mode):
    usual.mkdir(parents=True)
    usual.chmod(mode)
    assert store.home() == temporary / f"oddsmith-{os.geteuid()}"
    assert caplog.messages == [f"oddsmith: cache: {usual} can be written by other users and is not used"]


def test_a_users_own_folder_that_is_anothers_is_left_in_one_line(usual, temporary, monkeypatch, caplog):
    usual.mkdir(parents=True)
    give_away(usual, monkeypatch)
    assert store.home() != usual
    assert caplog.messages == [f"oddsmith: cache: {usual} belongs to another user and is not used"]


def test_windows_has_no_owners_to_compare(monkeypatch, file):
    file.chmod(0o666)
    assert store.read(file) is None
    monkeypatch.setattr(store.os, "name", "nt")
    monkeypatch.delattr(store.os, "geteuid")
    assert store._distrust(file.stat()) == ""
    assert store._user() == 0


def test_the_line_reaches_stderr_once(tmp_path):
    tmp_path.chmod(0o777)
    (tmp_path / "oddsmith").mkdir()
    (tmp_path / "oddsmith").chmod(0o777)
    code = "from sims.engine import store; store.home(); store.home()"
    environment = os.environ | {"XDG_CACHE_HOME": str(tmp_path)}
    environment.pop("ODDSMITH_CACHE", None)
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    if sys.platform == "linux":
        assert done.stderr == f"oddsmith: cache: {tmp_path}/oddsmith can be written by other users and is not used\n"


# -- files -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("content", [b"", b"x", CONTENT])
def test_what_was_kept_is_read_again(tmp_path, content):
    path = tmp_path / "folder" / "file"
    assert store.read(path) is None
    store.write(path, b"older")
    store.write(path, content)
    assert store.read(path) == content
    assert (rights(path), rights(path.parent)) == (0o600, 0o700)
    assert list(path.parent.iterdir()) == [path]


def flipped(where):
    def damage(path):
        whole = bytearray(path.read_bytes())
        whole[where] ^= 1
        path.write_bytes(whole)

    damage.__name__ = f"flipped_{where}"
    return damage


def emptied(path):
    path.write_bytes(b"")


def cut(path):
    path.write_bytes(path.read_bytes()[:-1])


def cut_within_the_seal(path):
    path.write_bytes(path.read_bytes()[:7])


def longer(path):
    path.write_bytes(path.read_bytes() + b"\0")


def removed(path):
    path.unlink()


def a_directory(path):
    path.unlink()
    path.mkdir()
    (path / "inside").write_text("")


def a_pipe(path):
    path.unlink()
    os.mkfifo(path)


def a_socket(path):
    path.unlink()
    with socket.socket(socket.AF_UNIX) as end:
        os.chdir(path.parent)  # the path of a socket may not be long
        end.bind(path.name)


def a_link_to_its_like(path):
    path.rename(path.with_name("real"))
    path.symlink_to("real")


def a_link_to_an_endless_device(path):
    path.unlink()
    path.symlink_to("/dev/zero")


def a_loop(path):
    path.unlink()
    path.symlink_to(path)


def huge(path):
    os.truncate(path, store.LARGEST + 1)


def swapped(path):
    store.write(path.with_name("other"), b"other")
    path.with_name("other").replace(path)


def from_another_folder(path):
    store.write(path.parent.parent / "old" / path.name, b"old")
    (path.parent.parent / "old" / path.name).replace(path)


def writable_by_others(path):
    path.chmod(0o602)


def writable_by_the_group(path):
    path.chmod(0o620)


def folder_is_a_file(path):
    shutil.rmtree(path.parent)
    path.parent.write_text("")


def folder_is_a_link_to_nowhere(path):
    shutil.rmtree(path.parent)
    path.parent.symlink_to("nowhere")


def folder_is_open(path):
    path.parent.chmod(0o777)


DAMAGES = [
    flipped(0),
    flipped(31),
    flipped(32),
    flipped(-1),
    emptied,
    cut,
    cut_within_the_seal,
    longer,
    removed,
    a_directory,
    a_pipe,
    a_socket,
    a_link_to_its_like,
    a_link_to_an_endless_device,
    a_loop,
    huge,
    swapped,
    from_another_folder,
    writable_by_others,
    writable_by_the_group,
    folder_is_a_file,
    folder_is_a_link_to_nowhere,
    folder_is_open,
]


@pytest.mark.parametrize("damage", DAMAGES, ids=lambda damage: damage.__name__)
def test_a_damaged_file_counts_as_missing_and_is_replaced(damage, file, monkeypatch):
    monkeypatch.chdir(file.parent)
    assert store.read(file) == CONTENT
    damage(file)
    assert store.read(file) is None
    store.write(file, CONTENT[::-1])
    assert store.read(file) == CONTENT[::-1]
    assert (rights(file), rights(file.parent)) == (0o600, 0o700)


def test_a_file_of_the_largest_size_is_read(tmp_path, monkeypatch, file):
    monkeypatch.setattr(store, "LARGEST", file.stat().st_size)
    assert store.read(file) == CONTENT
    monkeypatch.setattr(store, "LARGEST", file.stat().st_size - 1)
    assert store.read(file) is None


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read anything")
def test_an_unreadable_file_is_replaced(file):
    file.chmod(0)
    assert store.read(file) is None
    store.write(file, CONTENT)
    assert store.read(file) == CONTENT


def test_a_file_of_another_user_is_not_read_and_replaced(file, monkeypatch):
    with monkeypatch.context() as patch:
        give_away(file, patch)
        assert store.read(file) is None
    store.write(file, b"ours")
    assert store.read(file) == b"ours"


def test_a_folder_of_another_user_is_neither_read_nor_changed(file, monkeypatch):
    give_away(file.parent, monkeypatch)
    file.parent.chmod(0o777)
    assert store.read(file) is None
    store.write(file, b"ours")
    assert store.read(file) is None
    assert rights(file.parent) == 0o777


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can be somebody else")
def test_a_file_of_root_is_read_by_everybody(file, monkeypatch):
    monkeypatch.setattr(store, "_user", lambda: 12345)
    assert store.read(file) == CONTENT


def test_a_link_is_replaced_not_followed(file, tmp_path):
    (tmp_path / "precious").write_text("mine")
    file.unlink()
    file.symlink_to(tmp_path / "precious")
    store.write(file, CONTENT)
    assert store.read(file) == CONTENT
    assert (tmp_path / "precious").read_text() == "mine"


def test_a_link_to_a_folder_is_replaced_and_the_folder_stays(file, tmp_path):
    (tmp_path / "precious").mkdir()
    (tmp_path / "precious" / "inside").write_text("mine")
    file.unlink()
    file.symlink_to(tmp_path / "precious")
    store.write(file, CONTENT)
    assert store.read(file) == CONTENT
    assert (tmp_path / "precious" / "inside").read_text() == "mine"


def test_a_full_disk_keeps_what_was_there_and_leaves_nothing_else(file):
    # the kernel refuses to let a file grow, as a full disk does; in a process of its own, whose limit it is
    code = f"""
import resource
from pathlib import Path
from sims.engine import store
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
store.write(Path({str(file)!r}), bytes(5000))
store.write(Path({str(file.parent)!r}, "new"), bytes(5000))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr == ""
    assert list(file.parent.iterdir()) == [file]
    assert store.read(file) == CONTENT


def test_an_interrupt_leaves_nothing_and_is_passed_on(file, monkeypatch):
    def stop(_old, _new):
        raise KeyboardInterrupt

    monkeypatch.setattr(store.os, "replace", stop)
    with pytest.raises(KeyboardInterrupt):
        store.write(file, b"new")
    assert list(file.parent.iterdir()) == [file]
    assert store.read(file) == CONTENT


def test_what_a_killed_run_left_goes_when_its_file_is_written_and_no_other(file):
    names = ["file.a1.unfinished", "file.unfinished", "filet.a1.unfinished", "fil[e].a1.unfinished"]
    for name in names:
        file.with_name(name).write_text("")
    store.write(file, CONTENT)
    assert sorted(path.name for path in file.parent.iterdir()) == sorted(["file", *names[1:]])


def test_writing_below_a_folder_that_is_gone_is_no_error(tmp_path):
    store.write(tmp_path / "gone" / "folder" / "file", CONTENT)
    assert list(tmp_path.iterdir()) == []
