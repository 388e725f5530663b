"""Files that a run writes: checked before the work starts, whole or not at all, and nothing left beside them.

A file grows under a temporary name beside its place and gets its own name when all is in it. The temporary file is
locked while its run lives; the name tells host and program. So the next run can tell what a killed one has left
behind, and removes it.
"""

import os
import platform
import re
import secrets
import stat
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from analysis.process import temporaries
from sims.engine.errors import InputError
from sims.engine.variant import Variant, as_dict

if sys.platform != "win32":
    import fcntl

#: What a temporary file of this host is called, with something random between.
PREFIX, SUFFIX = f".oddsmith-{re.sub(r'[^A-Za-z0-9-]', '-', platform.node())[:64]}-", ".part"
#: Endings of files; a folder for the pages of a report does not end so.
FILE_ENDINGS = (
    ".html",
    ".htm",
    ".pdf",
    ".png",
    ".svg",
    ".zip",
    ".csv",
    ".json",
    ".md",
    ".tex",
    ".txt",
    ".parquet",
    ".toml",
)


@contextmanager
def whole_file(path: Path) -> Iterator[Path]:
    """A temporary file, renamed to ``path`` when all has gone well and removed otherwise.

    A link is followed: the file that it leads to is written. A file that exists keeps its permissions.

    Raises
    ------
    InputError
        If the folder cannot be made or written, or if ``path`` is there but no file that can be written.
    """
    place = check_file(path)
    temporary = place.parent / f"{PREFIX}{secrets.token_hex(8)}{SUFFIX}"
    temporaries.add(str(temporary))
    handle = None
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        _clear_abandoned(place.parent)
        mode = stat.S_IMODE(os.stat(place).st_mode) if place.exists() else None
        handle = _create(temporary, 0o666 if mode is None else mode)
        yield temporary
        if mode is not None:
            temporary.chmod(mode)
        os.replace(temporary, place)
    except OSError as error:
        raise _unwritable(path, error) from None
    finally:
        temporary.unlink(missing_ok=True)
        temporaries.discard(str(temporary))
        if handle is not None:
            os.close(handle)


def write(path: Path, content: str | bytes) -> None:
    """Write a whole file or nothing."""
    with whole_file(path) as temporary:
        temporary.write_bytes(content.encode() if isinstance(content, str) else content)


def check_output(path: Path, endings: Iterable[str]) -> None:
    """Refuse a file without a known ending, or that cannot be written, before the work that fills it starts.

    Raises
    ------
    InputError
        Naming the path and what is allowed.
    """
    if path.suffix not in endings:
        raise InputError(f"output: {path.name!r} has no known ending; allowed: {', '.join(endings)}")
    check_file(path)


def check_file(path: Path) -> Path:
    """The place that will be written, to which links lead, if that is or can be a regular file; nothing is made.

    Raises
    ------
    InputError
        If it is a folder, a device, a pipe, a socket or read-only, or if its folder cannot be made or written.
    """
    try:
        place = Path(os.path.realpath(path))
        if place.exists():
            mode = os.stat(place).st_mode
            if stat.S_ISDIR(mode):
                raise InputError(f"output: {path} is a folder; name a file")
            if not stat.S_ISREG(mode):
                raise InputError(f"output: {path} is a device, a pipe or a socket; name a regular file")
            # to root everything can be written; what its owner made read-only is meant to stay, though
            if not mode & 0o222 or not os.access(place, os.W_OK):
                raise InputError(f"output: {path} is read-only; name another file, or make it writable")
        _check_new(place.parent, place.name)
    except OSError as error:
        raise _unwritable(path, error) from None
    return place


def check_folder(folder: Path) -> None:
    """Refuse a folder that is none, or that can be neither written nor made, before any work; nothing is made.

    Raises
    ------
    InputError
        Naming the folder and the reason.
    """
    try:
        place = Path(os.path.realpath(folder))
        if place.exists() and not place.is_dir():
            raise InputError(f"output: {folder} is a file; name a folder, as -o reports")
        if not place.exists() and place.suffix.lower() in FILE_ENDINGS:
            raise InputError(
                f"output: {folder} looks like a file; the pages are named after the games, so name a folder, as -o reports"
            )
        _check_new(place)
    except OSError as error:
        raise _unwritable(folder, error) from None


def check_apart(outputs: Mapping[str, Path | None], inputs: Iterable[Path]) -> None:
    """Refuse to write one file twice, or over a file that the run reads, whatever they are called.

    Parameters
    ----------
    outputs : dict
        Option to the path it names, if it is given.
    inputs : iterable of Path
        Files that the run reads.
    """
    taken = [(_identity(path), f"{path}, which is read") for path in inputs]
    for option, path in outputs.items():
        if path is None:
            continue
        for identity, use in taken:
            if identity == _identity(path):
                raise InputError(f"{option}: {path} is the same file as {use}; name another")
        taken.append((_identity(path), f"that of --{option}"))


def files_of(variant: Variant) -> list[Path]:
    """The user's own files that a variant was read from: itself, and a board that it names."""
    named = [variant.source, *as_dict(variant.rules).values()]
    return [Path(name) for name in named if isinstance(name, str) and name.endswith(".toml")]


def _identity(path: Path) -> Any:
    """The same for all names of a file: links, hard links, ways through other folders."""
    place = Path(os.path.realpath(path))
    for there, name in ((place, ""), (place.parent, place.name)):
        with suppress(OSError):
            found = os.stat(there)
            return found.st_dev, found.st_ino, name
    return place


def _check_new(folder: Path, *names: str) -> None:
    """Raise ``OSError`` if the folder cannot be made or written, or if a name in it is too long."""
    new = list(names)
    while not folder.exists():
        new.append(folder.name)
        folder = folder.parent
    for name in new:
        with suppress(FileNotFoundError):
            os.stat(folder / name)
    with tempfile.TemporaryFile(dir=folder):
        pass


def _unwritable(path: Path, error: OSError) -> InputError:
    return InputError(f"output: {path}: cannot be written: {error.strerror or error}")


def _create(path: Path, mode: int) -> int | None:
    """Make a file and lock it as long as the returned handle is open (where the system knows locks)."""
    while True:
        handle = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, mode)
        if sys.platform == "win32":
            os.close(handle)  # an open file cannot be renamed there
            return None
        with suppress(OSError):  # some network folders know no locks; then nobody clears there either
            fcntl.flock(handle, fcntl.LOCK_EX)
        if os.fstat(handle).st_nlink:
            return handle
        # another run took it for abandoned in the moment before it was locked
        os.close(handle)


def _clear_abandoned(folder: Path) -> None:
    """Remove temporary files whose run was killed: ours by name and owner, and locked by nobody."""
    if sys.platform == "win32":
        return
    for path in folder.glob(f"{PREFIX}*{SUFFIX}"):
        with suppress(OSError):
            found = os.lstat(path)
            if not stat.S_ISREG(found.st_mode) or found.st_uid != os.geteuid():
                continue
            handle = os.open(path, os.O_RDWR | os.O_NOFOLLOW | os.O_NONBLOCK)
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                path.unlink()
            finally:
                os.close(handle)
