"""Files that a run writes: checked before the work starts, whole or not at all."""

import os
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from sims.engine.errors import InputError


@contextmanager
def whole_file(path: Path) -> Iterator[Path]:
    """A temporary file beside ``path``, renamed to it when all has gone well and removed otherwise.

    Raises
    ------
    InputError
        If the folder cannot be made or written.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        os.close(handle)
    except OSError as error:
        raise InputError(f"output: {path}: cannot be written: {error.strerror}") from None
    temporary = Path(name)
    try:
        yield temporary
        # mkstemp makes private files; a report is to be read by others
        temporary.chmod(0o666 & ~_umask())
        os.replace(temporary, path)
    except OSError as error:
        raise InputError(f"output: {path}: cannot be written: {error.strerror}") from None
    finally:
        temporary.unlink(missing_ok=True)


def write(path: Path, content: str | bytes) -> None:
    """Write a whole file or nothing."""
    with whole_file(path) as temporary:
        temporary.write_bytes(content.encode() if isinstance(content, str) else content)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def check_output(path: Path, endings: Iterable[str]) -> Path:
    """A path that can be written, checked before the work that fills it starts.

    Raises
    ------
    InputError
        Unknown ending, or a folder that cannot be written.
    """
    if path.suffix not in endings:
        raise InputError(f"output: {path.name!r} has no known ending; allowed: {', '.join(endings)}")
    check_folder(path.parent)
    if path.is_dir():
        raise InputError(f"output: {path} is a folder")
    return path


def check_folder(folder: Path) -> Path:
    """A folder that exists or can be made, and written; otherwise one clear line."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise InputError(f"output: {folder}: cannot be written: {error.strerror}") from None
    return folder
