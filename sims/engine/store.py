"""Files that may be forgotten: where the cache lies, and files in it that are whole and ours, or not read at all.

Compiled kernels are kept as pickles, and a pickle runs code when it is read. So a file is read only if it belongs to
us (or to root) and nobody else may write it or its folder. Each file starts with a checksum over its place and its
content: a file that was cut, changed, moved or swapped counts as missing, is worked out again and replaced. Nothing
here raises for the state of the disk; without a folder that can be trusted, nothing is kept.
"""

import glob
import hashlib
import logging
import os
import shutil
import stat
import tempfile
from contextlib import suppress
from functools import cache
from pathlib import Path

from platformdirs import user_cache_dir

from sims.engine.errors import InputError

#: A larger file is none of ours: bytes.
LARGEST = 1 << 28
#: Rights to write for others than the owner.
OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH
SEAL = hashlib.sha256().digest_size


def home() -> Path | None:
    """Folder for everything the toolkit may forget: ``$ODDSMITH_CACHE`` or the user's cache folder.

    Where the user's own cannot be used, a private folder below the system's temporary one serves, and where that
    cannot be trusted either, none: everything works without.

    Raises
    ------
    InputError
        If ``$ODDSMITH_CACHE`` names a folder that cannot be made, or in which another user could put code.
    """
    named = os.environ.get("ODDSMITH_CACHE", "")
    return _named(Path(named)) if named else _found(_usual())


@cache
def _named(folder: Path) -> Path:
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        wrong = _distrust(folder.stat())
    except OSError as error:
        raise InputError(
            f"ODDSMITH_CACHE: {folder} cannot be made ({error.strerror}); name another folder or unset it"
        ) from error
    if wrong:
        raise InputError(
            f"ODDSMITH_CACHE: {folder} {wrong}, who could put code there; name a folder that only you can write"
        )
    if not os.access(folder, os.W_OK | os.X_OK):
        _tell(f"ODDSMITH_CACHE: {folder} cannot be written; nothing new is kept there")
    return folder


def _usual() -> Path | None:
    """The user's cache folder, if they have a home."""
    try:
        usual = Path(user_cache_dir("oddsmith"))
    except RuntimeError:
        return None
    # older versions of platformdirs leave the tilde of an unknown home as it is
    return usual if usual.is_absolute() else None


@cache
def _found(usual: Path | None) -> Path | None:
    if usual:
        with suppress(OSError):
            usual.mkdir(mode=0o700, parents=True, exist_ok=True)
            wrong = _distrust(usual.stat())
            if wrong:
                _tell(f"cache: {usual} {wrong} and is not used")
            elif os.access(usual, os.W_OK | os.X_OK):
                return usual
    with suppress(OSError):
        # anybody may have made a folder of this name in the temporary one, or a link: only a folder of ours will do
        private = Path(tempfile.gettempdir()) / f"oddsmith-{_user()}"
        with suppress(FileExistsError):
            private.mkdir(mode=0o700)
        status = private.lstat()
        if stat.S_ISDIR(status.st_mode) and _ours(status) and not _distrust(status):
            return private
    return None


def read(path: Path) -> bytes | None:
    """The content of a file that :func:`write` left, or None if there is none that is whole and safe to read."""
    try:
        if _distrust(path.parent.stat()):
            return None
        with open(path, "rb", opener=_careful) as file:
            status = os.fstat(file.fileno())
            if not stat.S_ISREG(status.st_mode) or status.st_size > LARGEST or _distrust(status):
                return None
            whole = file.read()
    except OSError:
        return None
    content = whole[SEAL:]
    return content if whole[:SEAL] == _seal(path, content) else None


def write(path: Path, content: bytes) -> None:
    """Keep ``content`` in a file of a folder in :func:`home`, whole or not at all.

    A disk that is full or cannot be written is no reason to lose what was found: then nothing is kept.
    """
    with suppress(OSError):
        _make(path.parent)
        # what a killed run left; of two that write at once, the later one is kept
        for unfinished in path.parent.glob(f"{glob.escape(path.name)}.*.unfinished"):
            unfinished.unlink()
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f"{path.name}.", suffix=".unfinished")
        try:
            with open(handle, "wb") as file:
                file.write(_seal(path, content) + content)
            os.replace(name, path)
        except BaseException:
            with suppress(OSError):
                os.unlink(name)
            raise


def _make(folder: Path) -> None:
    """Make a folder that only we can write; what else lies at its place goes."""
    if not folder.is_dir():
        folder.unlink(missing_ok=True)
        folder.mkdir(mode=0o700, exist_ok=True)
    status = folder.stat()
    if _ours(status) and _distrust(status):
        folder.chmod(0o700)


def _careful(path: str, flags: int) -> int:
    """Open without following a link, and without waiting for the other end of a pipe."""
    return os.open(path, flags | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))


def _seal(path: Path, content: bytes) -> bytes:
    place = f"{path.parent.name}/{path.name}".encode(errors="surrogateescape")
    return hashlib.sha256(place + b"\0" + content).digest()


def _user() -> int:
    """Our number; Windows, which has none and gives each user a temporary folder, counts everybody as 0."""
    return os.geteuid() if hasattr(os, "geteuid") else 0


def _ours(status: os.stat_result) -> bool:
    return status.st_uid == _user()


def _distrust(status: os.stat_result) -> str:
    """Why others could have put something there, or nothing. Root can do so anywhere; Windows has no such bits."""
    if os.name == "nt":
        return ""
    if status.st_uid not in (0, _user()):
        return "belongs to another user"
    return "can be written by other users" if status.st_mode & OTHERS_WRITE else ""


def _tell(line: str) -> None:
    """One line on stderr, unless a program that uses us as a library has other plans."""
    logging.getLogger("oddsmith").warning("oddsmith: %s", line)
